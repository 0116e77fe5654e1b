// Copyright (c) 2026 The Convolab authors
// SPDX-License-Identifier: MIT
//
// two_batch (ariano2023, 3.7.3, version 2; delbimbo2024, 4.3): block = output tile, tile and halo
// loaded in two rounds.
//
// Idea: every thread computes one pixel and loads up to two. The tile of (B + K - 1)^2 pixels is
//   numbered row by row; in round 1 thread n loads cell n, in round 2 cell n + B^2.
// Since input_tile: no idle threads while computing; one plane of shared memory for each channel;
//   no padded copy, the loader asks the border rule.
// What limits it: two rounds are enough only for (B + K - 1)^2 <= 2 B^2: K <= 7 with B = 16. Each
//   multiply-add still reads its own word of shared memory, and its own tap.
// Alone: build/labs/05_cuda_shared/lab bench --variant two_batch --block 16,32 --size 1080p
#include "common/cuda/tile.hpp"

namespace convolab::cuda_shared {
namespace {

__constant__ float c_taps[kMaxConstantTaps];

template <class T>
__global__ void two_batch_kernel(const T* d_in, T* d_out, DeviceJob job) {
    float* s_planes = shared_floats();
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

    load_cell(s_planes, side, thread, left, top, d_in, job);  // round 1: the first B^2 cells
    load_cell(s_planes, side, thread + threads, left, top, d_in, job);  // round 2: what is left
    __syncthreads();

    if (x >= job.out_width || y >= job.out_height) return;
    for (int c = 0; c < job.channels; ++c) {
        const float* s_corner = s_planes + c * side * side + ty * side + tx;
        float sum = 0;
        for (int j = 0; j < job.ksize; ++j)
            for (int i = 0; i < job.ksize; ++i)
                sum += c_taps[j * job.ksize + i] * s_corner[j * side + i];
        d_out[job.out_index(x, y, c)] = to_sample<T>(sum, job.divisor_at(x, y));
    }
}

template <class T>
class TwoBatch final : public CudaConvolver {
  public:
    explicit TwoBatch(const Job& job)
        : CudaConvolver(job, stored(job, pixel_type_of<T>()), output_for(job, pixel_type_of<T>())) {
        require_constant_taps(job);
        prepare(two_batch_kernel<T>, output_tile(job, 2));
    }
    void upload() override {
        CudaConvolver::upload();
        CUDA_CHECK(cudaMemcpyToSymbol(c_taps, h_taps().data(), taps_bytes()));
    }
    void run() override {
        launch(two_batch_kernel<T>, shape_.grid, shape_.block, shape_.shared_bytes, nullptr,
               d_in<T>(), d_out<T>(), device_job_);
    }
};

}  // namespace

extern const Variant two_batch;
const Variant two_batch{
    .name = "two_batch",
    .idea = "block = output tile; tile and halo loaded in two rounds",
    .make = make_uint8_or_float32<TwoBatch>,
    .uses = kUsesBlock,
    .types = {PixelType::uint8, PixelType::float32},
    .memory = cuda_memory,
};

}  // namespace convolab::cuda_shared
