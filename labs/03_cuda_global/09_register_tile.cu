// Copyright (c) 2026 The Convolab authors
// SPDX-License-Identifier: MIT
//
// register_tile -- a thread computes four pixels of a column and keeps their sums in registers
// Source: new.
// Idea: the four pixels need the same samples, shifted by a row: K + 3 rows of K samples in place
//     of 4 K^2. A thread goes down these rows, once for each column of the filter. A sample is
//     loaded once and added to all four sums, each with a tap of another row. The four taps wait in
//     registers, too: each row loads one and moves the others on.
//         loads of samples for a pixel and channel   K = 3: 9 -> 4.5   K = 5: 25 -> 10
//                                                    K = 7: 49 -> 17.5 K = 9: 81 -> 27
//     A block is a rectangle of 32 x 8 threads, so a warp is a row of 32 pixels.
// Since coalesced: four pixels per thread; all channels in one pass, so a tap is loaded once for
//     12 sums of RGB; blocks that --block does not change.
// Limit: it was not profiled. Of (K + 3) K multiply-adds per pixel 3 K are with a tap of 0. A
//     quarter of the threads: a small picture does not fill the GPU.
// Alone: build/labs/03_cuda_global/lab bench --variant coalesced,register_tile --size 1080p
#include "common/cuda/variant.hpp"
#include "labs/03_cuda_global/variants.hpp"

namespace convolab::cuda_global {

constexpr int kRows = 4;  // pixels per thread
constexpr dim3 kBlock(32, 8);

template <class View>
static __global__ void convolve(const std::uint8_t* d_in, std::uint8_t* d_out, const float* d_taps,
                                View image) {
    constexpr int C = View::channels;
    const int x = blockIdx.x * blockDim.x + threadIdx.x;
    const int y = (blockIdx.y * blockDim.y + threadIdx.y) * kRows;
    if (x >= image.out_width || y >= image.out_height) return;

    const int K = image.ksize;
    float sum[kRows][C] = {};
    for (int i = 0; i < K; ++i) {
        float tap[kRows] = {};  // tap[n]: of row j - n of the filter, 0 above and below it
        for (int j = 0; j < K + kRows - 1; ++j) {
            for (int n = kRows - 1; n > 0; --n) tap[n] = tap[n - 1];
            tap[0] = j < K ? d_taps[j * K + i] : 0;
            for (int c = 0; c < C; ++c) {
                const float sample =
                    image.sample(d_in, x + image.origin + i, y + image.origin + j, c);
                for (int n = 0; n < kRows; ++n) sum[n][c] += tap[n] * sample;
            }
        }
    }
    for (int n = 0; n < kRows && y + n < image.out_height; ++n)
        for (int c = 0; c < C; ++c)
            d_out[image.out(x, y + n, c)] = to_sample<std::uint8_t>(sum[n][c], image.divisor);
}

const Variant register_tile = [] {
    Variant variant = cuda_variant<std::uint8_t>(
        "register_tile", "four pixels of a column per thread, blocks of 32 x 8 threads",
        []<class T, class View>(CudaVariant<T, View>& v) {
            v.prepare(convolve<View>, {dim3(blocks_for(v.job.out_width(), kBlock.x),
                                            blocks_for(v.job.out_height(), kBlock.y * kRows)),
                                       kBlock});
            v.set_launch(
                [&v] { convolve<<<v.grid, v.block>>>(v.d_in(), v.d_out(), v.d_taps(), v.view); });
        });
    variant.uses = kUsesNothing;
    return variant;
}();

}  // namespace convolab::cuda_global
