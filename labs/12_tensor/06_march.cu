// SPDX-License-Identifier: MIT
// march -- a warp walks down, and each row is loaded once
// Source: new.
// Idea: part j of the matrix times two input rows gives a part of the sums of two output rows,
//     those 2 j rows further up. So one pair of input rows serves (K + 1) / 2 pairs of output rows.
//     A warp walks down a strip of 256 bytes, two rows per step, and keeps the sums of all output
//     rows that are not finished:
//         sums[j] = part j x rows + sums[j - 1],   j = (K - 1) / 2 ... 1
//         sums[0] = part 0 x rows + start
//     The last of them are then finished. The others have moved on by one place at no cost, because
//     the instruction can write its result to other registers than those of the sums that it adds
//     to. The filter stays in registers.
// Since sparse: (K + 1) / 2 times fewer loads, and the filter is loaded once per strip. With one
//     channel the matrix is dense.
// Limit: latency, because a warp waits for each pair of rows; and stores of only 2 bytes. A warp
//     reads K - 1 rows before its first output rows are finished, so short strips read more rows
//     per output row.
// Alone: build/labs/12_tensor/lab bench --variant sparse,march --ksize 3,5,9 --filter edge
#include "labs/12_tensor/parts/lane_matrix.hpp"
#include "labs/12_tensor/parts/rolling_matrix.hpp"
#include "labs/12_tensor/variants.hpp"

namespace convolab::tensor_cores {

constexpr int kGroups = 4;   // groups of 8 columns: the strip of a warp
constexpr int kStrips = 4;   // strips of a block
constexpr int kMinRows = 8;  // output rows of a warp, which reads K - 1 more

template <class Matrix>
static __global__ void __launch_bounds__(32 * kStrips)
    convolve(PaddedRows image, const typename Matrix::Form* d_matrix, int rows_per_warp) {
    constexpr int kWords = Matrix::Form::kWords;
    const int lane = threadIdx.x, g = lane / 4, t = lane % 4;
    const int first = 8 * kGroups * (blockIdx.x * kStrips + threadIdx.y);  // column
    const int begin = blockIdx.y * rows_per_warp;
    const int end = min(begin + rows_per_warp, image.out_rows);
    if (kColumnBytes * first >= image.out_bytes) return;  // the whole warp returns

    const Matrix matrix(d_matrix);
    const int4 start = make_int4(image.start, image.start, image.start, image.start);
    int4 sums[kGroups][Matrix::kPairs] = {};
    constexpr int kAhead = 2 * (Matrix::kPairs - 1);  // rows
    // y: the first of the two output rows that this step finishes. Rows before `begin` belong to
    // another warp.
    for (int y = begin - kAhead; y < end; y += 2) {
        const std::uint8_t* d_window =
            image.in_row(y + kAhead + t / 2) + kColumnBytes * (first + g) + 4 * kWords * (t % 2);
#pragma unroll
        for (int i = 0; i < kGroups; ++i) {
            typename Matrix::Words words[Matrix::kSteps];
#pragma unroll
            for (int step = 0; step < Matrix::kSteps; ++step)
                words[step] = load_words<typename Matrix::Words>(d_window + 8 * kColumnBytes * i +
                                                                 8 * kWords * step);
            matrix.step(sums[i], words, start);
            if (y >= begin) store_sums(image, sums[i][Matrix::kPairs - 1], y, first + 8 * i);
        }
    }
}

const Variant march = padded_rows_variant(
    "march", "a warp walks down with sums of several rows: each row is loaded once", {3, 1, 4},
    [](PaddedConvolver& v) {
        with_matrix(v.job, [&]<class Matrix>() {
            const auto kernel = convolve<Matrix>;
            const auto* d_matrix = v.on_device(lane_matrix<typename Matrix::Form>(v.matrix));
            const PaddedRows image = v.rows();
            const dim3 block(32, kStrips);
            const unsigned columns =
                blocks_for(image.out_bytes, kColumnBytes * 8 * kGroups * kStrips);
            // The grid has as many warps as run at the same time. Each gets an even number of rows.
            require_capability(kernel, kTensorCores);
            const unsigned bands = std::max(1U, v.resident_blocks(kernel, 32 * kStrips) / columns);
            const int rows =
                std::max(kMinRows, 2 * static_cast<int>(blocks_for(image.out_rows, 2 * bands)));
            v.prepare(kernel, {dim3(columns, blocks_for(image.out_rows, rows)), block});
            v.set_launch([&v, image, d_matrix, rows] {
                convolve<Matrix><<<v.grid, v.block>>>(image, d_matrix, rows);
            });
        });
    });

}  // namespace convolab::tensor_cores
