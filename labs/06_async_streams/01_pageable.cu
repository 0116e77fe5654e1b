// SPDX-License-Identifier: MIT
// pageable -- synchronous copies from and to ordinary memory
// Source: delbimbo2024, 4.4.
// Idea: what a first CUDA program does: malloc, cudaMemcpy, kernel, cudaMemcpy. The system may move
//     ordinary (pageable) memory, so the device cannot read it. The CPU therefore copies every byte
//     once more, piece by piece, through a pinned buffer of the runtime.
// Since lab 05's two_batch: the timed run now includes the copies.
// Limit: the extra copy, by one CPU core. Nothing overlaps.
// Alone: build/labs/06_async_streams/lab bench --variant pageable --size 4k
#include <cstdlib>
#include <new>

#include "labs/06_async_streams/parts/frames_on_host.hpp"
#include "labs/06_async_streams/variants.hpp"

namespace convolab::async_streams {
namespace {

class Pageable final : public FramesOnHost {
  public:
    explicit Pageable(const Job& job) : FramesOnHost(job), image_(image_without_gaps(job)) {}

    void allocate(const Job& job) {
        h_in_ = static_cast<std::uint8_t*>(std::malloc(image_.in.host_bytes()));
        h_out_ = static_cast<std::uint8_t*>(std::malloc(image_.out.host_bytes()));
        if (h_in_ == nullptr || h_out_ == nullptr) throw std::bad_alloc();
        CUDA_CHECK(cudaMalloc(&image_.d_in, image_.in.device_bytes()));
        CUDA_CHECK(cudaMalloc(&image_.d_out, image_.out.device_bytes()));
        add_frame(job, h_in_, h_out_);
        add_band(image_);
    }
    ~Pageable() override {
        (void)cudaFree(image_.d_out);
        (void)cudaFree(image_.d_in);
        std::free(h_out_);
        std::free(h_in_);
    }

    void run() override {
        const auto& [kernel, in, out, d_in, d_out] = image_;
        TimedPart part(timeline_);
        CUDA_CHECK(cudaMemcpy(d_in, h_in_, in.host_bytes(), cudaMemcpyHostToDevice));
        part.copied_in();
        kernel.launch(d_in, d_out, nullptr);
        CUDA_CHECK(cudaGetLastError());
        part.filtered();
        CUDA_CHECK(cudaMemcpy(h_out_, d_out, out.host_bytes(), cudaMemcpyDeviceToHost));  // waits
        part.copied_out();
    }

  private:
    BandOnDevice image_;
    std::uint8_t *h_in_ = nullptr, *h_out_ = nullptr;
};

/// Twice on the device: if the kernel needs gaps between the rows, a second copy has them.
MemoryNeed memory_of_pageable(const Job& job) {
    MemoryNeed need = cuda_memory(job);
    need.device *= 2;
    return need;
}

}  // namespace

const Variant pageable{
    .name = "pageable",
    .idea = "synchronous copies from and to ordinary memory",
    .make = make_one<Pageable>,
    .uses = kUsesKernel,
    .run_copies = true,
    .memory = memory_of_pageable,
    .awkward = strip_ends(),
};

}  // namespace convolab::async_streams
