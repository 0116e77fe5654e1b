// Copyright (c) 2026 The Convolab authors
// SPDX-License-Identifier: MIT
//
// filter_in_shared (cazzola2024, Alg. 3): output tile T x T, one thread for each pixel of the tile
// and its halo, the filter in shared memory too.
//
// Idea: a block of (T + 2p)^2 threads loads the output tile and its halo, one pixel a thread;
// thread
//   (0, 0) copies the K^2 taps; then the T x T threads in the middle compute.
// Since input_tile: the setting is the output tile, the block grows with the filter; no padded
// copy,
//   the loader asks the border rule; pixels of any type, in planes.
// What limits it: one thread copies the filter while all others wait at the barrier, K^2 loads one
//   after the other; with T = 16 and K = 9 the block has 576 threads and 256 of them compute.
// Alone: build/labs/05_cuda_shared/lab bench --variant filter_in_shared --type float32 --ksize 9
#include "common/cuda/tile.hpp"

namespace convolab::cuda_shared {
namespace {

template <class T>
__global__ void filter_in_shared_kernel(const T* d_in, T* d_out, const float* d_taps,
                                        DeviceJob job) {
    float* s_taps = shared_floats();
    float* s_planes = s_taps + job.ksize * job.ksize;
    const int side = static_cast<int>(blockDim.x);
    const int tile = side - 2 * job.radius;
    const int tx = static_cast<int>(threadIdx.x);
    const int ty = static_cast<int>(threadIdx.y);
    const int left = static_cast<int>(blockIdx.x) * tile;  // of the output
    const int top = static_cast<int>(blockIdx.y) * tile;

    if (tx == 0 && ty == 0)
        for (int tap = 0; tap < job.ksize * job.ksize; ++tap) s_taps[tap] = d_taps[tap];
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
                sum += s_taps[j * job.ksize + i] * s_corner[j * side + i];
        d_out[job.out_index(x, y, c)] = to_sample<T>(sum, job.divisor_at(x, y));
    }
}

template <class T>
class FilterInShared final : public CudaConvolver {
  public:
    explicit FilterInShared(const Job& job)
        : CudaConvolver(job, stored(job, pixel_type_of<T>()), output_for(job, pixel_type_of<T>())) {
        prepare(filter_in_shared_kernel<T>, input_and_halo(job, taps_bytes()));
    }
    void run() override {
        launch(filter_in_shared_kernel<T>, shape_.grid, shape_.block, shape_.shared_bytes, nullptr,
               d_in<T>(), d_out<T>(), d_taps(), device_job_);
    }
};

}  // namespace

extern const Variant filter_in_shared;
const Variant filter_in_shared{
    .name = "filter_in_shared",
    .idea = "a thread for each pixel of tile and halo, filter in shared memory",
    .make = make_uint8_or_float32<FilterInShared>,
    .uses = kUsesBlock,
    .types = {PixelType::uint8, PixelType::float32},
    .memory = cuda_memory,
};

}  // namespace convolab::cuda_shared
