// SPDX-License-Identifier: MIT
// What fused and count have in common, apart from their loop: a pixel of both frames as words, the
// columns of K such pixels, and the comparison of filtered pixels.
#pragma once

#include "labs/10_noise_filter/parts/change.hpp"
#include "labs/10_noise_filter/parts/windows.hpp"

namespace convolab::noise_filter {

inline constexpr int kStripThreads = 128;  // columns, including K / 2 on each side
inline constexpr int kStripRows = 16;      // output rows of a block

struct BothFrames {
    const std::uint8_t* d_previous;
    const std::uint8_t* d_current;
    int width, height;
};

/// A pixel of both frames. Its six samples fill three words: red and blue of the previous frame,
/// red and blue of the current one, and both greens.
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

/// The columns of a row: for each of the three words, what Window makes of K of them (windows.hpp).
template <class Window>
using ColumnsOfRow = unsigned[3][Window::kWords][kStripThreads];

/// Makes `next` the newest of the last K pixels of a column.
template <int K>
__device__ void push(unsigned (&last)[3][K], const SixSamples& next) {
#pragma unroll
    for (int w = 0; w < 3; ++w) {
#pragma unroll
        for (int j = 0; j < K - 1; ++j) last[w][j] = last[w][j + 1];
        last[w][K - 1] = next.words[w];
    }
}

template <class Window, int K>
__device__ void store_column(ColumnsOfRow<Window>& s_row, int tx, const unsigned (&last)[3][K]) {
#pragma unroll
    for (int w = 0; w < 3; ++w)
        Window::column([&](int j) { return last[w][j]; },
                       [&](int n, unsigned word) { s_row[w][n][tx] = word; });
}

/// The number of a filtered pixel's samples that changed, 0 to 3.
__device__ inline int samples_changed(const unsigned (&filtered)[3]) {
    return sample_changed(low(filtered[0]), low(filtered[1])) +
           sample_changed(high(filtered[0]), high(filtered[1])) +
           sample_changed(low(filtered[2]), high(filtered[2]));
}

/// One block for each strip of the frames.
inline LaunchShape shape_of_strips(int width, int height, int ksize) {
    return {dim3(static_cast<unsigned>(ceil_divide(width, kStripThreads - (ksize - 1))),
                 static_cast<unsigned>(ceil_divide(height, kStripRows))),
            dim3(kStripThreads)};
}

}  // namespace convolab::noise_filter
