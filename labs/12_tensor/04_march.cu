// Copyright (c) 2026 The Convolab authors
// SPDX-License-Identifier: MIT
//
// march -- a warp walks down, and each row is loaded once
// Source: new.
// Idea: part j of the matrix turns two input rows into a part of the sums of the output rows 2 j
//     above them. So one pair of input rows serves (K + 1) / 2 pairs of output rows. A warp walks
//     down a strip of 256 bytes, two rows per step, and keeps the sums of all output rows that are
//     not finished:
//
//         sums[j] = part j x rows + sums[j - 1],   j = (K - 1) / 2 ... 1
//         sums[0] = part 0 x rows + start
//
//     The last of them are finished; the others have moved on by one place, because the instruction
//     writes its result where we like. The filter stays in registers.
// Since sparse: (K + 1) / 2 times fewer loads, and the filter is loaded once per strip. With one
//     channel the matrix is the dense one.
// Limit: latency: a warp waits for each pair of rows. Stores of 2 bytes.
// Alone: build/labs/12_tensor/lab bench --variant sparse,march --ksize 3,5,9 --filter box
#include "common/cuda/dispatch.hpp"
#include "labs/12_tensor/parts/lane_matrix.hpp"
#include "labs/12_tensor/variants.hpp"

namespace convolab::tensor_cores {

constexpr int kGroups = 4;   // of 8 columns: the strip of a warp
constexpr int kStrips = 4;   // of a block
constexpr int kMinRows = 8;  // of a warp: it reads K - 1 more

template <class Form, int pairs, int steps>
static __global__ void __launch_bounds__(32 * kStrips)
    convolve(PaddedRows image, const Form* d_matrix, int rows_per_warp) {
    const int lane = threadIdx.x, g = lane / 4, t = lane % 4;
    const int first = 8 * kGroups * (blockIdx.x * kStrips + threadIdx.y);  // column
    const int begin = blockIdx.y * rows_per_warp;
    const int end = min(begin + rows_per_warp, image.out_rows);
    if (kColumnBytes * first >= image.out_bytes) return;  // the whole warp

    Form matrix[pairs][steps];
#pragma unroll
    for (int j = 0; j < pairs; ++j)
#pragma unroll
        for (int step = 0; step < steps; ++step)
            matrix[j][step] = d_matrix[(j * steps + step) * 32 + lane];
    const int4 start = make_int4(image.start, image.start, image.start, image.start);
    int4 sums[kGroups][pairs] = {};

    // y: the output rows that are finished in this step; before `begin` they are another warp's.
    for (int y = begin - 2 * (pairs - 1); y < end; y += 2) {
        const std::uint8_t* d_window = image.in_row(y + 2 * (pairs - 1) + t / 2) +
                                       kColumnBytes * (first + g) + 4 * Form::kWords * (t % 2);
#pragma unroll
        for (int i = 0; i < kGroups; ++i) {
            typename Form::Words words[steps];
#pragma unroll
            for (int step = 0; step < steps; ++step)
                words[step] = load_words<typename Form::Words>(d_window + 8 * kColumnBytes * i +
                                                               8 * Form::kWords * step);
#pragma unroll
            for (int j = pairs - 1; j >= 0; --j) {
                sums[i][j] = matrix[j][0].times(words[0], j > 0 ? sums[i][j - 1] : start);
#pragma unroll
                for (int step = 1; step < steps; ++step)
                    sums[i][j] = matrix[j][step].times(words[step], sums[i][j]);
            }
            if (y >= begin) store_sums(image, sums[i][pairs - 1], y, first + 8 * i);
        }
    }
}

template <class Form, int pairs, int steps>
static void set_up(PaddedConvolver& v) {
    const auto kernel = convolve<Form, pairs, steps>;
    const Form* d_matrix = v.on_device(lane_matrix<Form>(v.matrix));
    const PaddedRows image = v.rows();
    const dim3 block(32, kStrips);
    const unsigned columns = blocks_for(image.out_bytes, 8 * kGroups * kColumnBytes * kStrips);
    // As many warps as run at the same time, each with an even number of rows.
    const unsigned bands = std::max(1U, v.resident_blocks(kernel, 32 * kStrips) / columns);
    const int rows =
        std::max(kMinRows, 2 * static_cast<int>(blocks_for(image.out_rows, 2 * bands)));
    v.prepare_for(kTensorCores, kernel, {dim3(columns, blocks_for(image.out_rows, rows)), block});
    v.set_launch([&v, image, d_matrix, rows] {
        convolve<Form, pairs, steps><<<v.grid, v.block>>>(image, d_matrix, rows);
    });
}

const Variant march = padded_rows_variant(
    "march", "a warp walks down with sums of several rows: each row is loaded once", {3, 1, 4},
    [](PaddedConvolver& v) {
        with_ksize<1, 3, 5, 7, 9>(v.job, [&]<int K>() {
            constexpr int pairs = (K + 1) / 2;
            const int channels = v.job.image().channels();
            if (channels == 1) return set_up<Dense, pairs, 1>(v);
            if constexpr (K == 9)
                if (channels == 4) return set_up<Sparse, pairs, 2>(v);  // windows of 40 bytes
            set_up<Sparse, pairs, 1>(v);
        });
    });

}  // namespace convolab::tensor_cores
