// Copyright (c) 2026 The Convolab authors
// SPDX-License-Identifier: MIT
//
// padded (ariano2023, 3.7.2): lab 03's padded with the filter in constant memory.
//
// Idea: all threads of a warp want the same tap at the same moment. Constant memory has a cache
// that
//   answers all 32 of them with one broadcast, and leaves the L1 cache to the pixels.
// Since lab 03's padded: d_taps became c_taps, and the copy of the filter goes to a symbol.
// What limits it: one load, one index and one multiply-add for every tap; 4 bytes a sample.
// Alone: build/labs/04_cuda_constant/lab bench --variant padded --block 2,4,8,16,32 --size 1080p
#include "common/convolution/padding.hpp"
#include "common/cuda/convolver.hpp"

namespace convolab::cuda_constant {
namespace {

__constant__ float c_taps[kMaxConstantTaps];

__global__ void padded_kernel(const float* d_padded, float* d_out, DeviceJob job) {
    const int p = job.radius;
    const int x = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x) - p;  // of the output
    const int y = static_cast<int>(blockIdx.y * blockDim.y + threadIdx.y) - p;
    if (x < 0 || x >= job.out_width || y < 0 || y >= job.out_height) return;

    const std::int64_t padded_width = job.out_width + 2 * p;
    for (int c = 0; c < job.channels; ++c) {
        const float* d_corner = d_padded + (y * padded_width + x) * job.channels + c;
        float sum = 0;
        for (int j = 0; j < job.ksize; ++j)
            for (int i = 0; i < job.ksize; ++i)
                sum += c_taps[j * job.ksize + i] * d_corner[(j * padded_width + i) * job.channels];
        const float divisor = job.divisor_at(x, y);
        d_out[job.out_index(x, y, c)] = to_sample<std::uint8_t>(sum, divisor);  // a byte, as float
    }
}

class Padded final : public CudaConvolver {
  public:
    explicit Padded(const Job& job)
        : CudaConvolver(job, pad(job, PixelType::float32), output_for(job, PixelType::float32)) {
        require_type(job, PixelType::uint8);
        require_constant_taps(job);
        const int border = 2 * job.filter.radius();
        prepare(padded_kernel,
                one_thread_each(job, job.out_width() + border, job.out_height() + border));
    }
    void upload() override {
        CudaConvolver::upload();
        CUDA_CHECK(cudaMemcpyToSymbol(c_taps, h_taps().data(), taps_bytes()));
    }
    void run() override {
        launch(padded_kernel, shape_.grid, shape_.block, shape_.shared_bytes, nullptr,
               d_in<float>(), d_out<float>(), device_job_);
    }
};

}  // namespace

extern const Variant padded;
const Variant padded{
    .name = "padded",
    .idea = "padded copy of floats, taps broadcast from constant memory",
    .make = make_one<Padded>,
    .uses = kUsesBlock,
    .types = {PixelType::uint8},
    .memory = cuda_padded_memory,
};

}  // namespace convolab::cuda_constant
