// Copyright (c) 2026 The Convolab authors
// SPDX-License-Identifier: MIT
//
// padded (ariano2023, 3.7.1): the border is made explicit on the CPU, so that the taps need no
// test.
//
// Idea: the image is copied once into a larger one of floats with p pixels of border on each side.
//   The grid covers the padded image, ceil(padded side / B) blocks; the threads that stand on the
//   border have nothing to compute.
// Since coalesced: no test per tap; 4 bytes a sample instead of 1, in and out; the padding itself
// is
//   work for the CPU, and no kernel time shows it.
// What limits it: four times the bytes through the caches; taps in global memory; blocks of 2 x 2
//   fill 4 of the 32 lanes of a warp.
// Alone: build/labs/03_cuda_global/lab bench --variant padded --block 2,4,8,16,32 --size 1080p
#include "common/convolution/padding.hpp"
#include "common/cuda/convolver.hpp"

namespace convolab::cuda_global {
namespace {

__global__ void padded_kernel(const float* d_padded, float* d_out, const float* d_taps,
                              DeviceJob job) {
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
                sum += d_taps[j * job.ksize + i] * d_corner[(j * padded_width + i) * job.channels];
        const float divisor = job.divisor_at(x, y);
        d_out[job.out_index(x, y, c)] = to_sample<std::uint8_t>(sum, divisor);  // a byte, as float
    }
}

class Padded final : public CudaConvolver {
  public:
    explicit Padded(const Job& job)
        : CudaConvolver(job, pad(job, PixelType::float32), output_for(job, PixelType::float32)) {
        require_type(job, PixelType::uint8);
        const int border = 2 * job.filter.radius();
        prepare(padded_kernel,
                one_thread_each(job, job.out_width() + border, job.out_height() + border));
    }
    void run() override {
        launch(padded_kernel, shape_.grid, shape_.block, shape_.shared_bytes, nullptr,
               d_in<float>(), d_out<float>(), d_taps(), device_job_);
    }
};

}  // namespace

extern const Variant padded;
const Variant padded{
    .name = "padded",
    .idea = "padded copy of floats, no test per tap, the grid covers the border",
    .make = make_one<Padded>,
    .uses = kUsesBlock,
    .types = {PixelType::uint8},
    .memory = cuda_padded_memory,
};

}  // namespace convolab::cuda_global
