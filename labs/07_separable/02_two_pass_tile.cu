// SPDX-License-Identifier: MIT
// two_pass_tile -- two_pass with a tile in shared memory in each pass
// Source: videostream2021, to do list (end of 3.4).
// Idea: a block reads each sample from global memory once and converts it to float once, not K
//     times.
//         along: (B + K - 1) x B samples          down: B x (B + K - 1) row sums
// Since two_pass: each pass loads its tile and waits at one barrier. The halo is on only two sides:
//     with B = 16 and K = 5, a tile has a quarter more cells than its block, while the square tile
//     of lab 05 has 1.56 times as many.
// Limit: along the rows the L2 cache, because the row sums are still written to global memory and
//     read again. Down the columns instructions: those that load the tile, and a load from shared
//     memory for every multiply-add.
// Alone: build/labs/07_separable/lab bench --variant two_pass,two_pass_tile --size 4k
#include "labs/07_separable/parts/passes.hpp"
#include "labs/07_separable/variants.hpp"

namespace convolab::separable {

template <class View>
static __global__ void along(const std::uint8_t* d_in, float* d_sums, View image, LineTaps taps) {
    constexpr int C = View::channels;
    extern __shared__ float s_tile[];  // [channel][row of B][column of B + K - 1]
    const int K = image.ksize, B = blockDim.x, side = B + K - 1;
    const int tx = threadIdx.x, ty = threadIdx.y;
    const int left = blockIdx.x * B + image.origin;
    const int y = blockIdx.y * B + ty;  // of the input
    if (y < image.height)
        for (int column = tx; column < side; column += B)
            for (int c = 0; c < C; ++c)
                s_tile[(c * B + ty) * side + column] = image.sample(d_in, left + column, y, c);
    __syncthreads();

    const int x = blockIdx.x * B + tx;  // of the output
    if (x >= image.out_width || y >= image.height) return;
    for (int c = 0; c < C; ++c) {
        const float* s_row = s_tile + (c * B + ty) * side + tx;
        float sum = 0;
        for (int i = 0; i < K; ++i) sum += taps.row[i] * s_row[i];
        d_sums[image.out(x, y, c)] = sum;
    }
}

template <class View>
static __global__ void down(const float* d_sums, std::uint8_t* d_out, View image, LineTaps taps) {
    constexpr int C = View::channels;
    extern __shared__ float s_tile[];  // [channel][row of B + K - 1][column of B]
    const int K = image.ksize, B = blockDim.x, side = B + K - 1;
    const int tx = threadIdx.x, ty = threadIdx.y;
    const int x = blockIdx.x * B + tx;
    const int top = blockIdx.y * B + image.origin;
    if (x < image.out_width)
        for (int row = ty; row < side; row += B)
            for (int c = 0; c < C; ++c)
                s_tile[(c * side + row) * B + tx] = row_sum(d_sums, image, taps, x, top + row, c);
    __syncthreads();

    const int y = blockIdx.y * B + ty;
    if (x >= image.out_width || y >= image.out_height) return;
    for (int c = 0; c < C; ++c) {
        const float* s_column = s_tile + (c * side + ty) * B + tx;
        float sum = 0;
        for (int j = 0; j < K; ++j) sum += taps.column[j] * s_column[j * B];
        d_out[image.out(x, y, c)] = to_sample<std::uint8_t>(sum, image.divisor);
    }
}

const Variant two_pass_tile = two_pass_variant(
    "two_pass_tile", "two_pass with a tile in shared memory in each pass",
    []<class View>(TwoPasses<View>& v) {
        const int B = v.job.settings.block;
        const std::size_t cells = B * (B + v.view.ksize - 1) * View::channels;
        v.prepare_passes(along<View>, down<View>, cells * sizeof(float));
        v.set_launch([&v] {
            const LaunchShape &a = v.along_shape, &d = v.down_shape;
            along<<<a.grid, a.block, a.shared_bytes>>>(v.d_in(), v.d_sums(), v.view, v.taps);
            down<<<d.grid, d.block, d.shared_bytes>>>(v.d_sums(), v.d_out(), v.view, v.taps);
        });
    });

}  // namespace convolab::separable
