// Copyright (c) 2026 The Convolab authors
// SPDX-License-Identifier: MIT
//
// n_batch (new): the loader loops, so that any K goes with any B.
//
// Idea: thread n loads the cells n, n + B^2, n + 2 B^2 ... until the tile is full.
// Since two_batch: a loop instead of two lines; nothing is refused but what shared or constant
// memory
//   cannot hold.
// What limits it: as two_batch; for large K the tile is mostly halo (B = 8 and K = 9: 64 outputs
// out
//   of 256 pixels), and the work grows with K^2: separate the filter (lab 07).
// Alone: build/labs/05_cuda_shared/lab bench --variant n_batch --block 8,16,32 --ksize 9,15,31
#include "common/cuda/tile.hpp"

namespace convolab::cuda_shared {
namespace {

__constant__ float c_taps[kMaxConstantTaps];

template <class T>
__global__ void n_batch_kernel(const T* d_in, T* d_out, DeviceJob job) {
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

    for (int cell = thread; cell < side * side; cell += threads)
        load_cell(s_planes, side, cell, left, top, d_in, job);
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
class NBatch final : public CudaConvolver {
  public:
    explicit NBatch(const Job& job)
        : CudaConvolver(job, stored(job, pixel_type_of<T>()), output_for(job, pixel_type_of<T>())) {
        require_constant_taps(job);
        prepare(n_batch_kernel<T>, output_tile(job, 0));
    }
    void upload() override {
        CudaConvolver::upload();
        CUDA_CHECK(cudaMemcpyToSymbol(c_taps, h_taps().data(), taps_bytes()));
    }
    void run() override {
        launch(n_batch_kernel<T>, shape_.grid, shape_.block, shape_.shared_bytes, nullptr,
               d_in<T>(), d_out<T>(), device_job_);
    }
};

}  // namespace

extern const Variant n_batch;
const Variant n_batch{
    .name = "n_batch",
    .idea = "the loader loops: any K with any B",
    .make = make_uint8_or_float32<NBatch>,
    .uses = kUsesBlock,
    .types = {PixelType::uint8, PixelType::float32},
    .memory = cuda_memory,
};

}  // namespace convolab::cuda_shared
