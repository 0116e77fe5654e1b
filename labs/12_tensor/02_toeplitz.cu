// SPDX-License-Identifier: MIT
// toeplitz -- the taps written out as a matrix
// Source: new.
// Idea: a convolution is a product of two matrices. The left one contains the taps. It has a row
//     for each of 16 output bytes, 8 in each of two image rows, and a column for each input byte
//     that they depend on (parts/toeplitz.hpp). The right one is the image: a column for each 8
//     bytes along a row. This file writes the product as everybody does, with one thread for each
//     of its elements.
// Since im2col: the matrix contains the taps, not the windows. So it is small and made once, and
//     the bytes of the image are read where they are.
// Limit: loads, two for each multiply-add. Most of these are by zero: a 5x5 filter with 3 channels
//     has 25 taps, but a row of its matrix has 6 x 20 elements. The next files give the product to
//     a unit that multiplies so fast that these zeros do not matter.
// Alone: build/labs/12_tensor/lab bench --variant toeplitz --filter edge --ksize 3,5 --size 1080p
#include "labs/12_tensor/parts/padded_rows.hpp"
#include "labs/12_tensor/variants.hpp"

namespace convolab::tensor_cores {

constexpr int kMatrixRows = 2 * kColumnBytes;

// threadIdx.x: the matrix row, threadIdx.y: one of the block's columns of 8 bytes.
static __global__ void convolve(PaddedRows image, const std::int8_t* d_matrix, int rows,
                                int window) {
    const int out = threadIdx.x / kColumnBytes, x = threadIdx.x % kColumnBytes;
    const int column = blockIdx.x * blockDim.y + threadIdx.y;
    const int y = 2 * blockIdx.y;
    if (kColumnBytes * column + x >= image.out_bytes || y + out >= image.out_rows) return;

    int sum = image.start;
    for (int row = 0; row < rows; ++row) {
        const std::uint8_t* d_window = image.in_row(y + row) + kColumnBytes * column;
        const std::int8_t* d_weights = d_matrix + (threadIdx.x * rows + row) * window;
        for (int at = 0; at < window; ++at) sum += d_weights[at] * d_window[at];
    }
    image.out_row(y + out)[kColumnBytes * column + x] =
        static_cast<std::uint8_t>(image.division.byte(sum));
}

const Variant toeplitz = padded_rows_variant(
    "toeplitz", "the taps as a banded matrix, multiplied in plain loops", {3, 1, 4},
    [](PaddedConvolver& v) {
        const int rows = v.job.filter.ksize() + 1, window = v.matrix.window();
        std::vector<std::int8_t> matrix;
        for (int m = 0; m < kMatrixRows; ++m)
            for (int row = 0; row < rows; ++row)
                for (int at = 0; at < window; ++at)
                    matrix.push_back(v.matrix.weight(m / kColumnBytes, m % kColumnBytes, row, at));
        const std::int8_t* d_matrix = v.on_device(matrix);
        const PaddedRows image = v.rows();
        const dim3 block(kMatrixRows, 16);
        v.prepare(convolve, {dim3(blocks_for(image.out_bytes, kColumnBytes * block.y),
                                  blocks_for(image.out_rows, 2)),
                             block});
        v.set_launch([&v, image, d_matrix, rows, window] {
            convolve<<<v.grid, v.block>>>(image, d_matrix, rows, window);
        });
    });

}  // namespace convolab::tensor_cores
