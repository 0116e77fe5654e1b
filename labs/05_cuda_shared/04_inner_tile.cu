// SPDX-License-Identifier: MIT
// inner_tile -- a tile without halo; taps outside it are read from global memory
// Source: cazzola2024, Alg. 5.
// Idea: the halo of one tile is the inside of the next, so it is probably in the L2 cache. The
//     block loads only B x B pixels; taps that fall outside the tile read global memory.
// Since filter_in_constant: all threads load and compute; a test per tap chooses the memory.
// Limit: divergence. A tap left or right of the centre leaves the tile for some threads of each
//     warp, so with K = 5 most warps execute both paths for 20 of the 25 taps. The test itself also
//     costs instructions in every tap.
// Alone: build/labs/05_cuda_shared/lab bench --variant filter_in_constant,inner_tile --size 4k
#include "common/cuda/tile.hpp"
#include "common/cuda/variant.hpp"
#include "labs/05_cuda_shared/variants.hpp"

namespace convolab::cuda_shared {

static __constant__ float c_taps[kMaxConstantTaps];

template <class T, class View>
static __global__ void convolve(const T* d_in, T* d_out, View image) {
    constexpr int C = View::channels;
    extern __shared__ float s_planes[];  // [channel][row][column]
    const int K = image.ksize, p = image.radius, side = blockDim.x;
    const int tx = threadIdx.x, ty = threadIdx.y;
    const int x = blockIdx.x * side + tx;  // of the output
    const int y = blockIdx.y * side + ty;
    const int centre = image.origin + p;  // from an output pixel to the input pixel at its place

    load_pixel(s_planes + ty * side + tx, side * side, x + centre, y + centre, d_in, image);
    __syncthreads();

    if (x >= image.out_width || y >= image.out_height) return;
    for (int c = 0; c < C; ++c) {
        const float* s_plane = s_planes + c * side * side;
        float sum = 0;
        for (int j = 0; j < K; ++j)
            for (int i = 0; i < K; ++i) {
                const int column = tx + i - p, row = ty + j - p;
                const bool in_tile = 0 <= column && column < side && 0 <= row && row < side;
                sum += c_taps[j * K + i] * (in_tile ? s_plane[row * side + column]
                                                    : image.sample(d_in, x + image.origin + i,
                                                                   y + image.origin + j, c));
            }
        d_out[image.out(x, y, c)] = to_sample<T>(sum, image.divisor);
    }
}

const Variant inner_tile = cuda_variant<std::uint8_t, float>(
    "inner_tile", "a tile without halo; taps outside it from global memory",
    []<class T, class View>(CudaVariant<T, View>& v) {
        v.taps_in(c_taps);
        const int block = v.job.settings.block;
        v.prepare(convolve<T, View>, one_block_per_tile(v.job.out_width(), v.job.out_height(),
                                                        block, block, tile_bytes(v.job, block)));
        v.set_launch(
            [&v] { convolve<<<v.grid, v.block, v.shared_bytes>>>(v.d_in(), v.d_out(), v.view); });
    });

}  // namespace convolab::cuda_shared
