// SPDX-License-Identifier: MIT
// graph -- the work of streams, recorded once and launched with one call
// Source: new.
// Idea: streams makes three calls per band, and each takes CPU time, in every run. A CUDA graph
//     stores this work. While a stream is captured, its calls are recorded instead of executed;
//     events between streams become the edges of the graph. One cudaGraphLaunch then starts all of
//     it.
// Since streams: the calls are captured before the first run, so run() is one launch and one wait.
// Limit: the same as streams. A graph saves CPU time, not bus time.
// Alone: build/labs/06_async_streams/lab bench --variant streams,graph --size 480p,8k
#include "labs/06_async_streams/parts/frames_on_host.hpp"
#include "labs/06_async_streams/variants.hpp"

namespace convolab::async_streams {
namespace {

class Graph final : public FramesOnHost {
  public:
    explicit Graph(const Job& job)
        : FramesOnHost(job), streams_(static_cast<std::size_t>(job.settings.streams)) {}

    void allocate(const Job& job) {
        for (const Band& band : cut_in_bands(job)) bands_.emplace_back(job, band);
        CUDA_CHECK(cudaMallocHost(&h_in_, job.image().bytes()));
        CUDA_CHECK(cudaMallocHost(&h_out_, output_bytes()));
        add_frame(job, h_in_, h_out_);
        for (BandOnDevice& band : bands_) {
            CUDA_CHECK(cudaMalloc(&band.d_in, band.in.device_bytes()));
            CUDA_CHECK(cudaMalloc(&band.d_out, band.out.device_bytes()));
            add_band(band);
        }
        for (cudaStream_t& stream : streams_)
            CUDA_CHECK(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
        CUDA_CHECK(cudaStreamCreateWithFlags(&origin_, cudaStreamNonBlocking));
        CUDA_CHECK(cudaEventCreateWithFlags(&event_, cudaEventDisableTiming));
        prepare();
    }
    ~Graph() override {
        if (graph_ != nullptr) (void)cudaGraphExecDestroy(graph_);
        if (event_ != nullptr) (void)cudaEventDestroy(event_);
        if (origin_ != nullptr) (void)cudaStreamDestroy(origin_);
        for (const cudaStream_t stream : streams_)
            if (stream != nullptr) (void)cudaStreamDestroy(stream);
        for (const BandOnDevice& band : bands_) {
            (void)cudaFree(band.d_out);
            (void)cudaFree(band.d_in);
        }
        (void)cudaFreeHost(h_out_);
        (void)cudaFreeHost(h_in_);
    }

    void run() override {
        CUDA_CHECK(cudaGraphLaunch(graph_, origin_));
        CUDA_CHECK(cudaStreamSynchronize(origin_));
    }

  private:
    /// Captures the graph. A timeline needs another one, with its events.
    void prepare() override {
        if (graph_ != nullptr) CUDA_CHECK(cudaGraphExecDestroy(graph_));
        graph_ = nullptr;
        CUDA_CHECK(cudaStreamBeginCapture(origin_, cudaStreamCaptureModeThreadLocal));
        CUDA_CHECK(cudaEventRecord(event_, origin_));  // fork: the streams begin after it
        for (const cudaStream_t stream : streams_)
            CUDA_CHECK(cudaStreamWaitEvent(stream, event_, 0));
        for (std::size_t b = 0; b < bands_.size(); ++b) {
            const auto& [kernel, in, out, d_in, d_out] = bands_[b];
            const cudaStream_t stream = streams_[b % streams_.size()];
            TimedPart part(timeline_, stream);
            CUDA_CHECK(cudaMemcpy2DAsync(d_in + in.lead, in.pitch, h_in_ + in.offset, in.bytes,
                                         in.bytes, in.count, cudaMemcpyHostToDevice, stream));
            part.copied_in();
            kernel.launch(d_in + in.lead, d_out, stream);
            CUDA_CHECK(cudaGetLastError());
            part.filtered();
            CUDA_CHECK(cudaMemcpy2DAsync(h_out_ + out.offset, out.bytes, d_out, out.pitch,
                                         out.bytes, out.count, cudaMemcpyDeviceToHost, stream));
            part.copied_out();
        }
        for (const cudaStream_t stream : streams_) {  // join: the origin goes on after them
            CUDA_CHECK(cudaEventRecord(event_, stream));
            CUDA_CHECK(cudaStreamWaitEvent(origin_, event_, 0));
        }
        cudaGraph_t recorded = nullptr;
        CUDA_CHECK(cudaStreamEndCapture(origin_, &recorded));
        const cudaError_t made = cudaGraphInstantiate(&graph_, recorded, 0);
        CUDA_CHECK(cudaGraphDestroy(recorded));
        CUDA_CHECK(made);
    }

    std::vector<BandOnDevice> bands_;
    std::uint8_t *h_in_ = nullptr, *h_out_ = nullptr;
    std::vector<cudaStream_t> streams_;  ///< for the capture only: they become the graph's edges
    cudaStream_t origin_ = nullptr;
    cudaEvent_t event_ = nullptr;
    cudaGraphExec_t graph_ = nullptr;
};

}  // namespace

const Variant graph{
    .name = "graph",
    .idea = "the work of streams as one CUDA graph: one launch per run",
    .make = make_one<Graph>,
    .uses = kUsesStreams | kUsesBands | kUsesKernel,
    .run_copies = true,
    .memory = cuda_memory,
    .awkward = strip_ends(),
};

}  // namespace convolab::async_streams
