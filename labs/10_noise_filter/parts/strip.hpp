// Copyright (c) 2026 The Convolab authors
// SPDX-License-Identifier: MIT
//
// A block goes down a strip of both frames, row by row; a thread has a column of it:
//
//     load      the thread's pixel of the next row, of both frames: six samples are three full words,
//               red and blue of the one frame, of the other, and both greens
//     column    of its last K pixels, which are in registers: the sum, or the sorted words
//     barrier   the columns are in shared memory
//     combine   K neighbouring columns: a pixel of both frames, filtered
//
// Two rows of columns are kept, so one barrier per row is enough: who writes a row again has met all
// readers of it at the barrier of the row between.
#pragma once

#include "labs/10_noise_filter/parts/change.hpp"
#include "labs/10_noise_filter/parts/windows.hpp"

namespace convolab::noise_filter {

inline constexpr int kStripThreads = 128;  // columns, with K / 2 on each side
inline constexpr int kStripRows = 16;      // output rows of a block

struct BothFrames {
    const std::uint8_t* d_previous;
    const std::uint8_t* d_current;
    int width, height;
};

/// A pixel of both frames.
struct SixSamples {
    __device__ SixSamples(const BothFrames& in, int x, int y) {
        const std::uint8_t* d_before = nearest(in.d_previous, x, y, in.width, in.height);
        const std::uint8_t* d_now = nearest(in.d_current, x, y, in.width, in.height);
        words[0] = d_before[0] | d_before[2] << 16;
        words[1] = d_now[0] | d_now[2] << 16;
        words[2] = d_before[1] | d_now[1] << 16;
    }
    unsigned words[3];
};

/// visit(x, y, n) for every output pixel of the thread: n of its samples changed, 0..3. All threads.
template <class Window, int K, class Visit>
__device__ void go_down(const BothFrames& in, const Visit& visit) {
    __shared__ unsigned s_columns[2][3][Window::kWords][kStripThreads];
    const int tx = threadIdx.x, x = blockIdx.x * (kStripThreads - (K - 1)) + tx;
    const int top = blockIdx.y * kStripRows;
    const bool has_output = tx < kStripThreads - (K - 1) && x < in.width;
    unsigned last[3][K] = {};  // of the thread's column: the words of K rows
    SixSamples next(in, x - K / 2, top - K / 2);
    for (int row = 0; row < kStripRows + K - 1; ++row) {
        UNROLL for (int w = 0; w < 3; ++w) {
            UNROLL for (int j = 0; j < K - 1; ++j) last[w][j] = last[w][j + 1];
            last[w][K - 1] = next.words[w];
        }
        next = SixSamples(in, x - K / 2, top - K / 2 + row + 1);  // on its way during the rest
        if (row < K - 1) continue;
        auto& s_row = s_columns[row % 2];
        UNROLL for (int w = 0; w < 3; ++w)
            Window::column([&](int j) { return last[w][j]; },
                           [&](int n, unsigned word) { s_row[w][n][tx] = word; });
        __syncthreads();
        const int y = top + row - (K - 1);
        if (!has_output || y >= in.height) continue;
        unsigned filtered[3];
        UNROLL for (int w = 0; w < 3; ++w) filtered[w] =
            Window::combine([&](int n, int i) { return s_row[w][n][tx + i]; });
        visit(x, y,
              sample_changed(low(filtered[0]), low(filtered[1])) +
                  sample_changed(high(filtered[0]), high(filtered[1])) +
                  sample_changed(low(filtered[2]), high(filtered[2])));
    }
}

/// A block for every strip of the frames.
inline LaunchShape shape_of_strips(int width, int height, int ksize) {
    return {dim3(static_cast<unsigned>(ceil_divide(width, kStripThreads - (ksize - 1))),
                 static_cast<unsigned>(ceil_divide(height, kStripRows))),
            dim3(kStripThreads)};
}

}  // namespace convolab::noise_filter
