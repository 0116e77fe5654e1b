// Copyright (c) 2026 The Convolab authors
// SPDX-License-Identifier: MIT
//
// unrolled (new): K is a template parameter, so the compiler sees the whole loop.
//
// Idea: with K known, the K x K loop unrolls; the place of every tap in constant memory and of
// every
//   pixel beside the first is a number in the instruction, and a tap is a load, a conversion and
//   one multiply-add that reads c_taps as its operand. Where the whole filter lies inside the
//   image, as it does for all but a thin frame, one test replaces K^2.
// Since aos: the template parameter, a table of kernels to choose from at run time, two paths.
// What limits it: the loads: a byte each, K^2 for every sample, out of the L1 cache.
// Alone: build/labs/04_cuda_constant/lab bench --variant aos,unrolled --ksize 3,5,7,9 --size 4k
#include <string>

#include "common/cuda/convolver.hpp"

namespace convolab::cuda_constant {
namespace {

__constant__ float c_taps[kMaxConstantTaps];

/// The launch bounds keep the compiler to the registers that a block of 32 x 32 threads has.
template <int K>
__global__ void __launch_bounds__(1024, 1)
    unrolled_kernel(const std::uint8_t* d_in, std::uint8_t* d_out, DeviceJob job) {
    const int x = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
    const int y = static_cast<int>(blockIdx.y * blockDim.y + threadIdx.y);
    if (x >= job.out_width || y >= job.out_height) return;

    const int left = x + job.origin;
    const int top = y + job.origin;
    const bool inside = left >= 0 && top >= 0 && left + K <= job.width && top + K <= job.height;
    const std::int64_t row_samples = static_cast<std::int64_t>(job.width) * job.channels;
    for (int c = 0; c < job.channels; ++c) {
        float sum = 0;
        if (inside) {
            const std::uint8_t* d_corner = d_in + job.in_index(left, top, c);
            UNROLL
            for (int j = 0; j < K; ++j) {
                UNROLL
                for (int i = 0; i < K; ++i)
                    sum += c_taps[j * K + i] *
                           static_cast<float>(d_corner[j * row_samples + i * job.channels]);
            }
        } else {
            for (int tap = 0; tap < job.ksize * job.ksize; ++tap)  // not K: this one stays a loop
                sum += c_taps[tap] * sample_at(d_in, job, left + tap % K, top + tap / K, c);
        }
        d_out[job.out_index(x, y, c)] = to_sample<std::uint8_t>(sum, job.divisor_at(x, y));
    }
}

using Kernel = void (*)(const std::uint8_t*, std::uint8_t*, DeviceJob);

Kernel kernel_for(int ksize) {
    switch (ksize) {
        case 1:
            return unrolled_kernel<1>;
        case 3:
            return unrolled_kernel<3>;
        case 5:
            return unrolled_kernel<5>;
        case 7:
            return unrolled_kernel<7>;
        case 9:
            return unrolled_kernel<9>;
        case 11:
            return unrolled_kernel<11>;
        case 13:
            return unrolled_kernel<13>;
        case 15:
            return unrolled_kernel<15>;
        default:
            throw Unsupported("The unrolled kernels are compiled for filters of side 1 to 15; " +
                              std::to_string(ksize) + " is not among them.");
    }
}

class Unrolled final : public CudaConvolver {
  public:
    explicit Unrolled(const Job& job)
        : CudaConvolver(job, stored(job, PixelType::uint8), output_for(job, PixelType::uint8)),
          kernel_(kernel_for(job.filter.ksize())) {
        prepare(kernel_, one_thread_each(job, job.out_width(), job.out_height()));
    }
    void upload() override {
        CudaConvolver::upload();
        CUDA_CHECK(cudaMemcpyToSymbol(c_taps, h_taps().data(), taps_bytes()));
    }
    void run() override {
        launch(kernel_, shape_.grid, shape_.block, shape_.shared_bytes, nullptr,
               d_in<std::uint8_t>(), d_out<std::uint8_t>(), device_job_);
    }

  private:
    Kernel kernel_;
};

}  // namespace

extern const Variant unrolled;
const Variant unrolled{
    .name = "unrolled",
    .idea = "K a template parameter, one test a pixel instead of one a tap",
    .make = make_one<Unrolled>,
    .uses = kUsesBlock,
    .types = {PixelType::uint8},
    .memory = cuda_memory,
};

}  // namespace convolab::cuda_constant
