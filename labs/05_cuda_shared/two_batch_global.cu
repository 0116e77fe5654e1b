// Copyright (c) 2026 The Convolab authors
// SPDX-License-Identifier: MIT
//
// two_batch_global (chisci2024, GPU2DConvolutionTiling_kernel): two_batch on one channel of int32,
// the filter in global memory.
//
// Idea: as two_batch; how much of the gain is the tile's, how much the filter's place?
// Since two_batch: one channel, int32 pixels, the taps from global memory.
// What limits it: the taps' loads go through the L1 cache, beside the pixels' from shared memory.
// Alone: build/labs/05_cuda_shared/lab bench --variant two_batch_global,two_batch_gray --block 32
#include "common/cuda/tile.hpp"

namespace convolab::cuda_shared {
namespace {

__global__ void two_batch_global_kernel(const std::int32_t* d_in, std::int32_t* d_out,
                                        const float* d_taps, DeviceJob job) {
    float* s_tile = shared_floats();
    const int block = static_cast<int>(blockDim.x);
    const int side = block + job.ksize - 1;
    const int threads = block * block;
    const int tx = static_cast<int>(threadIdx.x);
    const int ty = static_cast<int>(threadIdx.y);
    const int thread = ty * block + tx;
    const int x = static_cast<int>(blockIdx.x) * block + tx;  // of the output
    const int y = static_cast<int>(blockIdx.y) * block + ty;
    const int left = x - tx + job.origin;  // the tile begins p before the block's first pixel
    const int top = y - ty + job.origin;

    load_cell(s_tile, side, thread, left, top, d_in, job);  // round 1: the first B^2 cells
    load_cell(s_tile, side, thread + threads, left, top, d_in, job);  // round 2: what is left
    __syncthreads();

    if (x >= job.out_width || y >= job.out_height) return;
    const float* s_corner = s_tile + ty * side + tx;
    float sum = 0;
    for (int j = 0; j < job.ksize; ++j)
        for (int i = 0; i < job.ksize; ++i)
            sum += d_taps[j * job.ksize + i] * s_corner[j * side + i];
    d_out[job.out_index(x, y, 0)] = to_sample<std::int32_t>(sum, job.divisor_at(x, y));
}

class TwoBatchGlobal final : public CudaConvolver {
  public:
    explicit TwoBatchGlobal(const Job& job)
        : CudaConvolver(job, stored(job, PixelType::int32), output_for(job, PixelType::int32)) {
        require_one_channel(job);
        prepare(two_batch_global_kernel, output_tile(job, 2));
    }
    void run() override {
        launch(two_batch_global_kernel, shape_.grid, shape_.block, shape_.shared_bytes, nullptr,
               d_in<std::int32_t>(), d_out<std::int32_t>(), d_taps(), device_job_);
    }
};

}  // namespace

extern const Variant two_batch_global;
const Variant two_batch_global{
    .name = "two_batch_global",
    .idea = "two_batch on 1 channel of int32, filter in global memory",
    .make = make_one<TwoBatchGlobal>,
    .uses = kUsesBlock,
    .types = {PixelType::int32},
    .channels = {1},
    .memory = cuda_memory,
};

}  // namespace convolab::cuda_shared
