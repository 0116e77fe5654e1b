// SPDX-License-Identifier: MIT
// pinned -- the same copies, from and to pinned memory
// Source: delbimbo2024, 4.4.
// Idea: memory from cudaMallocHost is pinned: it never moves. So the device's copy engine reads and
//     writes it directly, at the bandwidth of the bus.
// Since pageable: cudaMallocHost and cudaFreeHost; and cudaMemcpy2D, because there may be gaps
//     between the rows on the device. It takes the distance from one row to the next on each side.
// Limit: nothing overlaps. While the image is copied in, the other direction of the bus is idle,
//     and while the kernel runs, both directions are.
// Alone: build/labs/06_async_streams/lab bench --variant pageable,pinned --size 4k
#include "labs/06_async_streams/parts/frames_on_host.hpp"
#include "labs/06_async_streams/variants.hpp"

namespace convolab::async_streams {
namespace {

class Pinned final : public FramesOnHost {
  public:
    explicit Pinned(const Job& job) : FramesOnHost(job), image_(job, whole_image(job)) {}

    void allocate(const Job& job) {
        CUDA_CHECK(cudaMallocHost(&h_in_, image_.in.host_bytes()));
        CUDA_CHECK(cudaMallocHost(&h_out_, image_.out.host_bytes()));
        CUDA_CHECK(cudaMalloc(&image_.d_in, image_.in.device_bytes()));
        CUDA_CHECK(cudaMalloc(&image_.d_out, image_.out.device_bytes()));
        add_frame(job, h_in_, h_out_);
        add_band(image_);
    }
    ~Pinned() override {
        (void)cudaFree(image_.d_out);
        (void)cudaFree(image_.d_in);
        (void)cudaFreeHost(h_out_);
        (void)cudaFreeHost(h_in_);
    }

    void run() override {
        const auto& [kernel, in, out, d_in, d_out] = image_;
        TimedPart part(timeline_);
        CUDA_CHECK(cudaMemcpy2D(d_in + in.lead, in.pitch, h_in_, in.bytes, in.bytes, in.count,
                                cudaMemcpyHostToDevice));
        part.copied_in();
        kernel.launch(d_in + in.lead, d_out, nullptr);
        CUDA_CHECK(cudaGetLastError());
        part.filtered();
        CUDA_CHECK(cudaMemcpy2D(h_out_, out.bytes, d_out, out.pitch, out.bytes, out.count,
                                cudaMemcpyDeviceToHost));  // waits
        part.copied_out();
    }

  private:
    BandOnDevice image_;
    std::uint8_t *h_in_ = nullptr, *h_out_ = nullptr;
};

}  // namespace

const Variant pinned{
    .name = "pinned",
    .idea = "synchronous copies from and to pinned memory",
    .make = make_one<Pinned>,
    .uses = kUsesKernel,
    .run_copies = true,
    .memory = cuda_memory,
    .awkward = strip_ends(),
};

}  // namespace convolab::async_streams
