// SPDX-License-Identifier: MIT
// filter_in_constant -- filter_in_shared with the filter in constant memory
// Source: cazzola2024, Alg. 4.
// Idea: the tile is the same, but the taps come from the constant cache, so no thread copies them.
// Since filter_in_shared: the taps are in constant memory.
// Limit: instructions, as in filter_in_shared: with B = 16 and K = 9, the block has 24 x 24
//     threads, and 256 of the 576 compute.
// Alone: build/labs/05_cuda_shared/lab bench --variant filter_in_shared,filter_in_constant
//     --size 4k
#include "common/cuda/tile.hpp"
#include "common/cuda/variant.hpp"
#include "labs/05_cuda_shared/variants.hpp"

namespace convolab::cuda_shared {

static __constant__ float c_taps[kMaxConstantTaps];

template <class T, class View>
static __global__ void convolve(const T* d_in, T* d_out, View image) {
    constexpr int C = View::channels;
    extern __shared__ float s_planes[];  // [channel][row][column]
    const int K = image.ksize;
    const int side = blockDim.x, tile = side - 2 * image.radius;
    const int tx = threadIdx.x, ty = threadIdx.y;
    const int left = blockIdx.x * tile, top = blockIdx.y * tile;  // of the output

    load_pixel(s_planes + ty * side + tx, side * side, left + tx + image.origin,
               top + ty + image.origin, d_in, image);
    __syncthreads();

    const int x = left + tx, y = top + ty;
    if (tx >= tile || ty >= tile || x >= image.out_width || y >= image.out_height) return;
    for (int c = 0; c < C; ++c) {
        const float* s_corner = s_planes + c * side * side + ty * side + tx;
        float sum = 0;
        for (int j = 0; j < K; ++j)
            for (int i = 0; i < K; ++i) sum += c_taps[j * K + i] * s_corner[j * side + i];
        d_out[image.out(x, y, c)] = to_sample<T>(sum, image.divisor);
    }
}

const Variant filter_in_constant = cuda_variant<std::uint8_t, float>(
    "filter_in_constant", "filter_in_shared with the filter in constant memory",
    []<class T, class View>(CudaVariant<T, View>& v) {
        v.taps_in(c_taps);
        v.prepare(convolve<T, View>, tile_with_halo(v.job));
        v.set_launch(
            [&v] { convolve<<<v.grid, v.block, v.shared_bytes>>>(v.d_in(), v.d_out(), v.view); });
    });

}  // namespace convolab::cuda_shared
