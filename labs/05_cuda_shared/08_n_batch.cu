// SPDX-License-Identifier: MIT
// n_batch -- the loader is a loop: any K with any B
// Source: new.
// Idea: each thread loads every B^2-th cell of the tile until none is left. So the kernel also
//     works if two rounds are too few, for example with K = 9 and B = 16, or K = 5 and B = 8.
// Since two_batch: a loop replaces the two calls of load_cell().
// Limit: shared memory, as in two_batch. Small blocks load mostly halo, because an output pixel
//     costs (B + K - 1)^2 / B^2 cells.
// Alone: build/labs/05_cuda_shared/lab bench --variant two_batch,n_batch --ksize 3,5,7,9 --size 4k
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

    for (int cell = ty * B + tx; cell < side * side; cell += B * B)
        load_cell(s_planes, side, cell, left, top, d_in, image);
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

const Variant n_batch = cuda_variant<std::uint8_t, float>(
    "n_batch", "the loader loops: any K with any B",
    []<class T, class View>(CudaVariant<T, View>& v) {
        v.taps_in(c_taps);
        v.prepare(convolve<T, View>, output_tile(v.job, 0));
        v.set_launch(
            [&v] { convolve<<<v.grid, v.block, v.shared_bytes>>>(v.d_in(), v.d_out(), v.view); });
    });

}  // namespace convolab::cuda_shared
