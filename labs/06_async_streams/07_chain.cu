// SPDX-License-Identifier: MIT
// chain -- several filters between one copy in and one copy out
// Source: new.
// Idea: if one filter follows another, the picture stays on the device. It is copied once in each
//     direction, however many filters there are. Each filter reads what the previous one wrote.
// Since pinned: the kernel runs --filters times, from one buffer to another and back.
// Limit: with few filters the bus, as for pinned; with many, device memory, or the caches if the
//     picture fits into them.
// Alone: build/labs/06_async_streams/lab bench --variant chain,chain_cpu --filters 1,2,4,8,16
//     --size 1080p,4k
#include <utility>

#include "labs/06_async_streams/parts/chain.hpp"
#include "labs/06_async_streams/parts/frames_on_host.hpp"
#include "labs/06_async_streams/variants.hpp"

namespace convolab::async_streams {
namespace {

class Chain final : public FramesOnHost {
  public:
    explicit Chain(const Job& job)
        : FramesOnHost(job), image_(job, whole_image(job)), filters_(job.settings.filters) {
        require_chain(job);
    }

    void allocate(const Job& job) {
        CUDA_CHECK(cudaMallocHost(&h_in_, image_.in.host_bytes()));
        CUDA_CHECK(cudaMallocHost(&h_out_, image_.out.host_bytes()));
        CUDA_CHECK(cudaMalloc(&image_.d_in, image_.in.device_bytes()));
        CUDA_CHECK(cudaMalloc(&image_.d_out, image_.out.device_bytes()));
        add_frame(job, h_in_, h_out_);
        add_band(image_);
    }
    ~Chain() override {
        (void)cudaFree(image_.d_out);
        (void)cudaFree(image_.d_in);
        (void)cudaFreeHost(h_out_);
        (void)cudaFreeHost(h_in_);
    }

    void run() override {
        const auto& [kernel, in, out, d_in, d_out] = image_;
        std::uint8_t *d_from = d_in, *d_to = d_out;  // their rows are stored in the same way
        TimedPart part(timeline_);
        CUDA_CHECK(cudaMemcpy2D(d_in, in.pitch, h_in_, in.bytes, in.bytes, in.count,
                                cudaMemcpyHostToDevice));
        part.copied_in();
        for (int i = 0; i < filters_; ++i) {
            kernel.launch(d_from, d_to, nullptr);
            CUDA_CHECK(cudaGetLastError());
            std::swap(d_from, d_to);  // the output is the next filter's input
        }
        part.filtered();
        CUDA_CHECK(cudaMemcpy2D(h_out_, out.bytes, d_from, out.pitch, out.bytes, out.count,
                                cudaMemcpyDeviceToHost));  // waits
        part.copied_out();
    }

  private:
    BandOnDevice image_;
    std::uint8_t *h_in_ = nullptr, *h_out_ = nullptr;
    int filters_;
};

}  // namespace

const Variant chain{
    .name = "chain",
    .idea = "several filters on a picture that stays on the device: the copies once",
    .make = make_one<Chain>,
    .uses = kUsesKernel | kUsesFilters,
    .run_copies = true,
    .memory = cuda_memory,
    .operation = &chain_of_filters(),
    .awkward = strip_ends(),
};

}  // namespace convolab::async_streams
