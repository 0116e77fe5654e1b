// SPDX-License-Identifier: MIT
// two_pass -- along the rows, then down the columns
// Source: videostream2021, to do list (end of 3.4).
// Idea: a filter that is the outer product of a column and a row needs 2K multiply-adds per sample,
//     not K^2. The first kernel writes the row sums to global memory, the second reads them.
// Since lab 05's two_batch: 10 multiply-adds instead of 25 for 5x5. No shared memory: the L1 cache
//     holds the samples that several threads need.
// Limit: along the rows the L2 cache. A row sum of 4 bytes is written and read for each sample, so
//     10 bytes move instead of 2. Down the columns instructions: a test, an address and a load for
//     every multiply-add.
// Alone: build/labs/07_separable/lab bench --variant two_pass --ksize 3,5,7,9 --size 4k
#include "labs/07_separable/parts/passes.hpp"
#include "labs/07_separable/variants.hpp"

namespace convolab::separable {

template <class View>
static __global__ void along(const std::uint8_t* d_in, float* d_sums, View image, LineTaps taps) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x;  // of the output
    const int y = blockIdx.y * blockDim.y + threadIdx.y;  // of the input
    if (x >= image.out_width || y >= image.height) return;
    for (int c = 0; c < image.channels; ++c) {
        float sum = 0;
        for (int i = 0; i < image.ksize; ++i)
            sum += taps.row[i] * image.sample(d_in, x + image.origin + i, y, c);
        d_sums[image.out(x, y, c)] = sum;
    }
}

template <class View>
static __global__ void down(const float* d_sums, std::uint8_t* d_out, View image, LineTaps taps) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x;
    const int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= image.out_width || y >= image.out_height) return;
    for (int c = 0; c < image.channels; ++c) {
        float sum = 0;
        for (int j = 0; j < image.ksize; ++j)
            sum += taps.column[j] * row_sum(d_sums, image, taps, x, y + image.origin + j, c);
        d_out[image.out(x, y, c)] = to_sample<std::uint8_t>(sum, image.divisor);
    }
}

const Variant two_pass = two_pass_variant(
    "two_pass", "2K taps in place of K^2: along the rows, then down the columns",
    []<class View>(TwoPasses<View>& v) {
        v.prepare_passes(along<View>, down<View>, 0);
        v.set_launch([&v] {
            along<<<v.along_shape.grid, v.along_shape.block>>>(v.d_in(), v.d_sums(), v.view,
                                                               v.taps);
            down<<<v.down_shape.grid, v.down_shape.block>>>(v.d_sums(), v.d_out(), v.view, v.taps);
        });
    });

}  // namespace convolab::separable
