// Copyright (c) 2026 The Convolab authors
// SPDX-License-Identifier: MIT
//
// inner_tile (cazzola2024, Alg. 5): block = output tile = loaded tile; the halo is not loaded.
//
// Idea: the B x B threads load exactly their own pixels, one each. Taps inside the tile are read
// from
//   shared memory; the others from global memory, where the neighbouring blocks' loads have just
//   brought them into the cache.
// Since filter_in_constant: no idle threads and a block that does not grow with the filter; a test
//   for every tap.
// What limits it: the test, and warps whose threads go both ways; with K = 9 and B = 16 a quarter
// of
//   the taps leave the tile.
// Alone: build/labs/05_cuda_shared/lab bench --variant inner_tile --type float32 --ksize 3,5,7,9
#include "common/cuda/tile.hpp"

namespace convolab::cuda_shared {
namespace {

__constant__ float c_taps[kMaxConstantTaps];

template <class T>
__global__ void inner_tile_kernel(const T* d_in, T* d_out, DeviceJob job) {
    float* s_planes = shared_floats();
    const int side = static_cast<int>(blockDim.x);
    const int tx = static_cast<int>(threadIdx.x);
    const int ty = static_cast<int>(threadIdx.y);
    const int x = static_cast<int>(blockIdx.x) * side + tx;  // of the output, in the whole image
    const int y = static_cast<int>(blockIdx.y) * side + ty;
    const int centre = job.origin + job.radius;  // from an output pixel to the input pixel below it

    load_cell(s_planes, side, ty * side + tx, x - tx + centre, y - ty + centre, d_in, job);
    __syncthreads();

    if (x >= job.out_width || y >= job.out_height) return;
    for (int c = 0; c < job.channels; ++c) {
        const float* s_plane = s_planes + c * side * side;
        float sum = 0;
        for (int j = 0; j < job.ksize; ++j)
            for (int i = 0; i < job.ksize; ++i) {
                const int cell_x = tx + i - job.radius;
                const int cell_y = ty + j - job.radius;
                const bool in_tile = 0 <= cell_x && cell_x < side && 0 <= cell_y && cell_y < side;
                const float sample =
                    in_tile ? s_plane[cell_y * side + cell_x]
                            : sample_at(d_in, job, x + job.origin + i, y + job.origin + j, c);
                sum += c_taps[j * job.ksize + i] * sample;
            }
        d_out[job.out_index(x, y, c)] = to_sample<T>(sum, job.divisor_at(x, y));
    }
}

LaunchShape inner_tile_shape(const Job& job) {
    const int block = job.settings.block;
    return one_block_a_tile(job.out_width(), job.out_height(), block, block,
                            tile_bytes(block, job));
}

template <class T>
class InnerTile final : public CudaConvolver {
  public:
    explicit InnerTile(const Job& job)
        : CudaConvolver(job, stored(job, pixel_type_of<T>()), output_for(job, pixel_type_of<T>())) {
        require_constant_taps(job);
        prepare(inner_tile_kernel<T>, inner_tile_shape(job));
    }
    void upload() override {
        CudaConvolver::upload();
        CUDA_CHECK(cudaMemcpyToSymbol(c_taps, h_taps().data(), taps_bytes()));
    }
    void run() override {
        launch(inner_tile_kernel<T>, shape_.grid, shape_.block, shape_.shared_bytes, nullptr,
               d_in<T>(), d_out<T>(), device_job_);
    }
};

}  // namespace

extern const Variant inner_tile;
const Variant inner_tile{
    .name = "inner_tile",
    .idea = "tile without halo; taps outside it from global memory",
    .make = make_uint8_or_float32<InnerTile>,
    .uses = kUsesBlock,
    .types = {PixelType::uint8, PixelType::float32},
    .memory = cuda_memory,
};

}  // namespace convolab::cuda_shared
