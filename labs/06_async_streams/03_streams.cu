// SPDX-License-Identifier: MIT
// streams -- the image in bands, each on a stream
// Source: delbimbo2024, 4.4 and 5.3.
// Idea: the bus works in both directions at once, and the multiprocessors work beside it. So the
//     image is cut into bands: while one band is copied in, the band before it is filtered and the
//     one before that is copied out. Each band includes its halo, K - 1 more rows. Without the
//     halo, the picture shows seams between the bands.
//     A stream runs its work in order, so a band's kernel begins after its copy, and a later band
//     may use the same stream. Streams do not wait for each other. The calls return at once, and
//     the host must leave both pictures alone until the wait at the end. If the memory is not
//     pinned, the result is right, but nothing overlaps (lab timeline shows it on a GPU).
// Since pinned: bands, streams, asynchronous copies, and one wait at the end.
// Limit: nothing overlaps the upload of the first band or the download of the last. More bands
//     shorten both, but each of them takes two more copies, another launch, and the upload of
//     K - 1 more rows.
// Alone: build/labs/06_async_streams/lab bench --variant pinned,streams --streams 1,2,3,4,8
//     --size 8k
#include <algorithm>

#include "labs/06_async_streams/parts/frames_on_host.hpp"
#include "labs/06_async_streams/variants.hpp"

namespace convolab::async_streams {

std::vector<Band> cut_in_bands(const Job& job) {
    const Geometry d = geometry_of(job);
    const std::int64_t count = std::min(job.settings.bands_or_streams(), d.out_height);
    if (count > 1 && job.border.rule == BorderRule::wrap)
        throw Unsupported(
            "With border `wrap` the first band needs rows from the other end of the image, which "
            "are not copied with it; use --bands 1.");
    std::vector<Band> bands;
    for (std::int64_t b = 0; b < count; ++b) {
        const auto first = static_cast<int>(d.out_height * b / count);
        const auto end = static_cast<int>(d.out_height * (b + 1) / count);
        const int low = std::max(first + d.origin, 0);  // the halo, as far as there are rows
        const int high = std::min(end + d.origin + d.ksize - 1, d.height);
        bands.push_back({first, end - first, low, high});
    }
    return bands;
}

namespace {

class Streams final : public FramesOnHost {
  public:
    explicit Streams(const Job& job)
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
        // Non-blocking: these streams and the default stream do not wait for each other.
        for (cudaStream_t& stream : streams_)
            CUDA_CHECK(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
    }
    ~Streams() override {
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
        for (std::size_t b = 0; b < bands_.size(); ++b) {
            const auto& [kernel, in, out, d_in, d_out] = bands_[b];
            const cudaStream_t stream = streams_[b % streams_.size()];
            TimedPart part(timeline_, stream);  // for lab timeline
            // target, its pitch, source, its pitch, bytes of a row, rows: they lie apart on the
            // device
            CUDA_CHECK(cudaMemcpy2DAsync(d_in + in.lead, in.pitch, h_in_ + in.offset, in.bytes,
                                         in.bytes, in.count, cudaMemcpyHostToDevice, stream));
            part.copied_in();
            kernel.launch(d_in + in.lead, d_out, stream);  // convolve<<<grid, block, 0, stream>>>
            CUDA_CHECK(cudaGetLastError());
            part.filtered();
            CUDA_CHECK(cudaMemcpy2DAsync(h_out_ + out.offset, out.bytes, d_out, out.pitch,
                                         out.bytes, out.count, cudaMemcpyDeviceToHost, stream));
            part.copied_out();
        }
        for (const cudaStream_t stream : streams_) CUDA_CHECK(cudaStreamSynchronize(stream));
    }

  private:
    std::vector<BandOnDevice> bands_;
    std::uint8_t *h_in_ = nullptr, *h_out_ = nullptr;
    std::vector<cudaStream_t> streams_;
};

}  // namespace

const Variant streams{
    .name = "streams",
    .idea = "the image in bands with halos, each copied in, filtered and copied out on its stream",
    .make = make_one<Streams>,
    .uses = kUsesStreams | kUsesBands | kUsesKernel,
    .run_copies = true,
    .memory = cuda_memory,
    .awkward = strip_ends(),
};

}  // namespace convolab::async_streams
