// Copyright (c) 2026 The Convolab authors
// SPDX-License-Identifier: MIT
//
// filter_in_constant (cazzola2024, Alg. 4): filter_in_shared with the filter in constant memory.
//
// Idea: the taps need no copying by the block: constant memory broadcasts them to all threads.
// Since filter_in_shared: s_taps became c_taps; no thread copies, the barrier waits for pixels
// only. What limits it: the threads of the halo, which load one pixel and are then idle; each
// output still
//   reads K^2 words of shared memory, one for every multiply-add.
// Alone: build/labs/05_cuda_shared/lab bench --variant filter_in_constant --type float32 --ksize 9
#include "common/cuda/tile.hpp"

namespace convolab::cuda_shared {
namespace {

__constant__ float c_taps[kMaxConstantTaps];

template <class T>
__global__ void filter_in_constant_kernel(const T* d_in, T* d_out, DeviceJob job) {
    float* s_planes = shared_floats();
    const int side = static_cast<int>(blockDim.x);
    const int tile = side - 2 * job.radius;
    const int tx = static_cast<int>(threadIdx.x);
    const int ty = static_cast<int>(threadIdx.y);
    const int left = static_cast<int>(blockIdx.x) * tile;  // of the output
    const int top = static_cast<int>(blockIdx.y) * tile;

    load_cell(s_planes, side, ty * side + tx, left + job.origin, top + job.origin, d_in, job);
    __syncthreads();

    const int tile_x = tx - job.radius;  // the threads of the halo have nothing to compute
    const int tile_y = ty - job.radius;
    if (tile_x < 0 || tile_x >= tile || tile_y < 0 || tile_y >= tile) return;
    const int x = left + tile_x;
    const int y = top + tile_y;
    if (x >= job.out_width || y >= job.out_height) return;
    for (int c = 0; c < job.channels; ++c) {
        const float* s_corner = s_planes + c * side * side + tile_y * side + tile_x;
        float sum = 0;
        for (int j = 0; j < job.ksize; ++j)
            for (int i = 0; i < job.ksize; ++i)
                sum += c_taps[j * job.ksize + i] * s_corner[j * side + i];
        d_out[job.out_index(x, y, c)] = to_sample<T>(sum, job.divisor_at(x, y));
    }
}

template <class T>
class FilterInConstant final : public CudaConvolver {
  public:
    explicit FilterInConstant(const Job& job)
        : CudaConvolver(job, stored(job, pixel_type_of<T>()), output_for(job, pixel_type_of<T>())) {
        require_constant_taps(job);
        prepare(filter_in_constant_kernel<T>, input_and_halo(job, 0));
    }
    void upload() override {
        CudaConvolver::upload();
        CUDA_CHECK(cudaMemcpyToSymbol(c_taps, h_taps().data(), taps_bytes()));
    }
    void run() override {
        launch(filter_in_constant_kernel<T>, shape_.grid, shape_.block, shape_.shared_bytes,
               nullptr, d_in<T>(), d_out<T>(), device_job_);
    }
};

}  // namespace

extern const Variant filter_in_constant;
const Variant filter_in_constant{
    .name = "filter_in_constant",
    .idea = "a thread for each pixel of tile and halo, filter in constant memory",
    .make = make_uint8_or_float32<FilterInConstant>,
    .uses = kUsesBlock,
    .types = {PixelType::uint8, PixelType::float32},
    .memory = cuda_memory,
};

}  // namespace convolab::cuda_shared
