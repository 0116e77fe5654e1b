// Copyright (c) 2026 The Convolab authors
// SPDX-License-Identifier: MIT
//
// gray (chisci2024, GPU2DConvolution_kernel): one channel of 32-bit integers.
//
// Idea: a gray image needs no loop over channels; a pixel is one aligned 4-byte word, so the loads
// of
//   32 neighbouring threads are 128 bytes without a gap.
// Since coalesced: one channel, int32 pixels, rounded to the nearest.
// What limits it: a tap costs two loads (pixel, tap), a conversion, a test and the index arithmetic
//   for one multiply-add; three of the four bytes of every pixel are zero.
// Alone: build/labs/03_cuda_global/lab bench --variant gray --filter box --ksize 5 --size 8192x8192
#include "common/cuda/convolver.hpp"

namespace convolab::cuda_global {
namespace {

__global__ void gray_kernel(const std::int32_t* d_in, std::int32_t* d_out, const float* d_taps,
                            DeviceJob job) {
    const int x = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
    const int y = static_cast<int>(blockIdx.y * blockDim.y + threadIdx.y);
    if (x >= job.out_width || y >= job.out_height) return;

    const int left = x + job.origin;
    const int top = y + job.origin;
    float sum = 0;
    for (int j = 0; j < job.ksize; ++j)
        for (int i = 0; i < job.ksize; ++i)
            sum += d_taps[j * job.ksize + i] * sample_at(d_in, job, left + i, top + j, 0);
    d_out[job.out_index(x, y, 0)] = to_sample<std::int32_t>(sum, job.divisor_at(x, y));
}

class Gray final : public CudaConvolver {
  public:
    explicit Gray(const Job& job)
        : CudaConvolver(job, stored(job, PixelType::int32), output_for(job, PixelType::int32)) {
        require_one_channel(job);
        prepare(gray_kernel, one_thread_each(job, job.out_width(), job.out_height()));
    }
    void run() override {
        launch(gray_kernel, shape_.grid, shape_.block, shape_.shared_bytes, nullptr,
               d_in<std::int32_t>(), d_out<std::int32_t>(), d_taps(), device_job_);
    }
};

}  // namespace

extern const Variant gray;
const Variant gray{
    .name = "gray",
    .idea = "1 channel of int32, a test per tap",
    .make = make_one<Gray>,
    .uses = kUsesBlock,
    .types = {PixelType::int32},
    .channels = {1},
    .memory = cuda_memory,
};

}  // namespace convolab::cuda_global
