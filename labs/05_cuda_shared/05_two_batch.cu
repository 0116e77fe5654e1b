// SPDX-License-Identifier: MIT
// two_batch -- the block is the output tile; tile and halo are loaded in two rounds
// Source: ariano2023, 3.7.3, version 2; delbimbo2024, 4.3.
// Idea: all B x B threads compute. The tile of (B + K - 1)^2 pixels has more cells than the block
//     has threads, so each thread loads up to two cells.
// Since inner_tile: the threads load the halo, too, so no tap is tested and no warp diverges in the
//     loop.
// Limit: shared memory, because each multiply-add loads a sample from it. Two rounds must be
//     enough: (B + K - 1)^2 <= 2 B^2.
// Alone: build/labs/05_cuda_shared/lab bench --variant input_tile,two_batch --block 16,32 --size 4k
#include "common/cuda/tile.hpp"
#include "common/cuda/variant.hpp"
#include "labs/05_cuda_shared/variants.hpp"

namespace convolab::cuda_shared {

static __constant__ float c_taps[kMaxConstantTaps];

template <class T, class View>
static __global__ void convolve(const T* d_in, T* d_out, View image) {
    constexpr int C = View::channels;
    extern __shared__ float s_planes[];  // [channel][row][column]
    const int K = image.ksize, B = blockDim.x, side = B + K - 1;
    const int tx = threadIdx.x, ty = threadIdx.y;
    const int x = blockIdx.x * B + tx;  // of the output
    const int y = blockIdx.y * B + ty;
    const int left = x - tx + image.origin;  // the tile begins p before the block's first pixel
    const int top = y - ty + image.origin;

    const int cell = ty * B + tx;
    load_cell(s_planes, side, cell, left, top, d_in, image);          // round 1: B^2 cells
    load_cell(s_planes, side, cell + B * B, left, top, d_in, image);  // round 2: the rest
    __syncthreads();

    if (x >= image.out_width || y >= image.out_height) return;
    const float* s_corner = s_planes + ty * side + tx;
    float sum[C] = {};
    for (int j = 0; j < K; ++j)
        for (int i = 0; i < K; ++i)
            for (int c = 0; c < C; ++c)
                sum[c] += c_taps[j * K + i] * s_corner[c * side * side + j * side + i];
    for (int c = 0; c < C; ++c) d_out[image.out(x, y, c)] = to_sample<T>(sum[c], image.divisor);
}

const Variant two_batch = cuda_variant<std::uint8_t, float>(
    "two_batch", "block = output tile; tile and halo are loaded in two rounds",
    []<class T, class View>(CudaVariant<T, View>& v) {
        v.taps_in(c_taps);
        v.prepare(convolve<T, View>, output_tile(v.job, 2));
        v.set_launch(
            [&v] { convolve<<<v.grid, v.block, v.shared_bytes>>>(v.d_in(), v.d_out(), v.view); });
    });

}  // namespace convolab::cuda_shared
