// SPDX-License-Identifier: MIT
// peer_bands -- one picture in bands of rows on several GPUs; halos go from GPU to GPU
// Source: new; the exchange as in NVIDIA's multi-gpu-programming-models, variant p2p.
// Idea: each of D devices keeps a band of the picture, and needs p rows of its neighbours per
//     filter (p: the filter's radius). A halo of s times p rows lasts for s filters, which compute
//     its rows twice. During the last of these filters, a second stream computes the edges of the
//     band once more. Its kernel stores them in the neighbours' memory, over NVLink if there is
//     one, so nothing is copied. Events order the kernels of neighbours. Filtering a thin band
//     takes little longer than launching the kernel, so all launches, on all devices, are one
//     graph, captured as in 05_graph.cu (parts/peers.cu).
// Since chain: bands, and two streams per device. The height of the bands decides s, from 1 to 16.
//     kernel_ms begins and ends with the picture on the devices; total_ms adds the upload and the
//     download.
// Limit: at each exchange, all GPUs wait for the slowest. They must access each other's memory.
// Alone: build/labs/06_async_streams/lab bench --variant peer_bands --filters 1,100 --size 8k
//     --devices 1,2
#include <algorithm>

#include "labs/06_async_streams/parts/chain.hpp"
#include "labs/06_async_streams/parts/frames_on_host.hpp"
#include "labs/06_async_streams/parts/peers.hpp"
#include "labs/06_async_streams/variants.hpp"

namespace convolab::async_streams {
namespace {

class PeerBands final : public SharedPicture {
  public:
    explicit PeerBands(const Job& job) : SharedPicture(job), filters_(job.settings.filters) {}

    /// Afterwards kernels of each device may write to its neighbours' memory.
    void allocate(const Job&) {
        const BackToFirst back{};
        for (const PeerBand& band : bands_)
            for (const PeerBand* other : band.neighbours) {
                int can = 0;
                CUDA_CHECK(cudaDeviceCanAccessPeer(&can, band.device, other->device));
                if (can == 0) throw_no_access(band, *other);
                CUDA_CHECK(cudaSetDevice(band.device));
                const cudaError_t error = cudaDeviceEnablePeerAccess(other->device, 0);
                if (error == cudaErrorPeerAccessAlreadyEnabled)
                    (void)cudaGetLastError();  // by an earlier job
                else
                    CUDA_CHECK(error);
            }
        capture();
    }
    void run() override { CUDA_CHECK(cudaGraphLaunch(graph_, nullptr)); }

  private:
    /// Each filter reads the bands' buffers `from` and writes their buffers `to`.
    void issue() override {
        int from = 0, to = 1;
        for (int i = 0; i < filters_; ++i) {
            const int end = std::min((i / passes_ + 1) * passes_, filters_);  // of this halo
            for (const PeerBand& band : bands_) {
                CUDA_CHECK(cudaEventRecord(band.ready.get(), band.stream.get()));
                launch(band, band.filters[static_cast<std::size_t>(end - 1 - i)], from, to,
                       band.stream.get());
            }
            if (i + 1 == end && end < filters_ && devices() > 1) send_edges(from, to);
            from = to;
            to = from == 1 ? 2 : 1;  // the input is there for the next run
        }
        result_ = from;
    }

    /// Beside a filter from `from` to `to` the senders compute the edges once more, into the halo
    /// of the neighbours' `to`. `ready` was recorded before that filter.
    void send_edges(int from, int to) {
        for (const PeerBand& band : bands_) {
            const cudaStream_t sender = band.sender.get();
            CUDA_CHECK(cudaStreamWaitEvent(sender, band.ready.get(), 0));  // `from` is complete
            for (const PeerBand* other : band.neighbours)  // no filter reads that halo any more
                CUDA_CHECK(cudaStreamWaitEvent(sender, other->ready.get(), 0));
            for (const RowsOfBand& edge : band.edges) launch(band, edge, from, to, sender);
            CUDA_CHECK(cudaEventRecord(band.sent.get(), sender));
        }
        for (const PeerBand& band : bands_) {
            const cudaStream_t next = band.stream.get();
            CUDA_CHECK(cudaStreamWaitEvent(next, band.sent.get(), 0));  // it overwrites `from`
            for (const PeerBand* other : band.neighbours)               // it reads the halo of `to`
                CUDA_CHECK(cudaStreamWaitEvent(next, other->sent.get(), 0));
        }
    }

    static void launch(const PeerBand& band, const RowsOfBand& rows, int from, int to,
                       cudaStream_t stream) {
        CUDA_CHECK(cudaSetDevice(band.device));
        rows.kernel.launch(band.d[from].data(), rows.to->d[to].data() + rows.offset, stream);
        CUDA_CHECK(cudaGetLastError());
    }

    int filters_;
};

}  // namespace

const Variant peer_bands{
    .name = "peer_bands",
    .idea = "the filters of chain in bands, one per GPU, halos stored in the neighbours' memory",
    .make = make_one<PeerBands>,
    .uses = kUsesKernel | kUsesFilters | kUsesDevices,
    .memory = memory_of_bands,
    .operation = &filters_on_device(),
    .awkward = strip_ends(),
};

}  // namespace convolab::async_streams
