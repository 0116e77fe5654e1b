// Copyright (c) 2026 The Convolab authors
// SPDX-License-Identifier: MIT
//
// gray (chisci2024, GPU2DConvolution): lab 03's gray with the filter in constant memory.
//
// Idea: the taps of a small filter are the same for every thread: constant memory broadcasts them.
// Since lab 03's gray: d_taps became c_taps. The report compares exactly these two.
// What limits it: the load of the pixel, its test and its index, once for every tap.
// Alone: build/labs/04_cuda_constant/lab bench --variant gray --filter box --ksize 5 --size
// 8192x8192
#include "common/cuda/convolver.hpp"

namespace convolab::cuda_constant {
namespace {

__constant__ float c_taps[kMaxConstantTaps];

__global__ void gray_kernel(const std::int32_t* d_in, std::int32_t* d_out, DeviceJob job) {
    const int x = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
    const int y = static_cast<int>(blockIdx.y * blockDim.y + threadIdx.y);
    if (x >= job.out_width || y >= job.out_height) return;

    const int left = x + job.origin;
    const int top = y + job.origin;
    float sum = 0;
    for (int j = 0; j < job.ksize; ++j)
        for (int i = 0; i < job.ksize; ++i)
            sum += c_taps[j * job.ksize + i] * sample_at(d_in, job, left + i, top + j, 0);
    d_out[job.out_index(x, y, 0)] = to_sample<std::int32_t>(sum, job.divisor_at(x, y));
}

class Gray final : public CudaConvolver {
  public:
    explicit Gray(const Job& job)
        : CudaConvolver(job, stored(job, PixelType::int32), output_for(job, PixelType::int32)) {
        require_one_channel(job);
        require_constant_taps(job);
        prepare(gray_kernel, one_thread_each(job, job.out_width(), job.out_height()));
    }
    void upload() override {
        CudaConvolver::upload();
        CUDA_CHECK(cudaMemcpyToSymbol(c_taps, h_taps().data(), taps_bytes()));
    }
    void run() override {
        launch(gray_kernel, shape_.grid, shape_.block, shape_.shared_bytes, nullptr,
               d_in<std::int32_t>(), d_out<std::int32_t>(), device_job_);
    }
};

}  // namespace

extern const Variant gray;
const Variant gray{
    .name = "gray",
    .idea = "1 channel of int32, taps in constant memory",
    .make = make_one<Gray>,
    .uses = kUsesBlock,
    .types = {PixelType::int32},
    .channels = {1},
    .memory = cuda_memory,
};

}  // namespace convolab::cuda_constant
