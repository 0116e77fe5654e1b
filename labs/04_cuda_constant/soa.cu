// Copyright (c) 2026 The Convolab authors
// SPDX-License-Identifier: MIT
//
// soa (delbimbo2024, 4.2): lab 03's soa with the filter in constant memory.
//
// Idea: the taps of a small filter are the same for every thread: constant memory broadcasts them.
// Since aos: one word, the layout.
// What limits it: as aos.
// Alone: build/labs/04_cuda_constant/lab bench --variant aos,soa --size 4k
#include "common/cuda/convolver.hpp"

namespace convolab::cuda_constant {
namespace {

constexpr Layout kLayout = Layout::planar;

__constant__ float c_taps[kMaxConstantTaps];

__global__ void soa_kernel(const std::uint8_t* d_in, std::uint8_t* d_out, DeviceJob job) {
    const int x = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
    const int y = static_cast<int>(blockIdx.y * blockDim.y + threadIdx.y);
    if (x >= job.out_width || y >= job.out_height) return;

    const int left = x + job.origin;
    const int top = y + job.origin;
    for (int c = 0; c < job.channels; ++c) {
        float sum = 0;
        for (int j = 0; j < job.ksize; ++j)
            for (int i = 0; i < job.ksize; ++i)
                sum +=
                    c_taps[j * job.ksize + i] * sample_at<kLayout>(d_in, job, left + i, top + j, c);
        d_out[job.out_index<kLayout>(x, y, c)] = to_sample<std::uint8_t>(sum, job.divisor_at(x, y));
    }
}

class Soa final : public CudaConvolver {
  public:
    explicit Soa(const Job& job)
        : CudaConvolver(job, stored(job, PixelType::uint8, kLayout),
                        output_for(job, PixelType::uint8, kLayout)) {
        require_constant_taps(job);
        prepare(soa_kernel, one_thread_each(job, job.out_width(), job.out_height()));
    }
    void upload() override {
        CudaConvolver::upload();
        CUDA_CHECK(cudaMemcpyToSymbol(c_taps, h_taps().data(), taps_bytes()));
    }
    void run() override {
        launch(soa_kernel, shape_.grid, shape_.block, shape_.shared_bytes, nullptr,
               d_in<std::uint8_t>(), d_out<std::uint8_t>(), device_job_);
    }
};

}  // namespace

extern const Variant soa;
const Variant soa{
    .name = "soa",
    .idea = "bytes, planar, taps in constant memory",
    .make = make_one<Soa>,
    .uses = kUsesBlock,
    .types = {PixelType::uint8},
    .memory = cuda_memory,
};

}  // namespace convolab::cuda_constant
