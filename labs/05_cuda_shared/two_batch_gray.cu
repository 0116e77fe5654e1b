// Copyright (c) 2026 The Convolab authors
// SPDX-License-Identifier: MIT
//
// two_batch_gray (chisci2024, with the filter in constant memory): the twin of two_batch_global.
//
// Idea: as two_batch_global; the taps are broadcast from constant memory.
// Since two_batch_global: d_taps became c_taps.
// What limits it: one word of shared memory read for every multiply-add.
// Alone: build/labs/05_cuda_shared/lab bench --variant two_batch_global,two_batch_gray --block 32
#include "common/cuda/tile.hpp"

namespace convolab::cuda_shared {
namespace {

__constant__ float c_taps[kMaxConstantTaps];

__global__ void two_batch_gray_kernel(const std::int32_t* d_in, std::int32_t* d_out,
                                      DeviceJob job) {
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
            sum += c_taps[j * job.ksize + i] * s_corner[j * side + i];
    d_out[job.out_index(x, y, 0)] = to_sample<std::int32_t>(sum, job.divisor_at(x, y));
}

class TwoBatchGray final : public CudaConvolver {
  public:
    explicit TwoBatchGray(const Job& job)
        : CudaConvolver(job, stored(job, PixelType::int32), output_for(job, PixelType::int32)) {
        require_one_channel(job);
        require_constant_taps(job);
        prepare(two_batch_gray_kernel, output_tile(job, 2));
    }
    void upload() override {
        CudaConvolver::upload();
        CUDA_CHECK(cudaMemcpyToSymbol(c_taps, h_taps().data(), taps_bytes()));
    }
    void run() override {
        launch(two_batch_gray_kernel, shape_.grid, shape_.block, shape_.shared_bytes, nullptr,
               d_in<std::int32_t>(), d_out<std::int32_t>(), device_job_);
    }
};

}  // namespace

extern const Variant two_batch_gray;
const Variant two_batch_gray{
    .name = "two_batch_gray",
    .idea = "two_batch_global with the filter in constant memory",
    .make = make_one<TwoBatchGray>,
    .uses = kUsesBlock,
    .types = {PixelType::int32},
    .channels = {1},
    .memory = cuda_memory,
};

}  // namespace convolab::cuda_shared
