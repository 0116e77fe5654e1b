// Copyright (c) 2026 The Convolab authors
// SPDX-License-Identifier: MIT
//
// Both frames of a tile in shared memory, and the filter of a pixel of both. Six samples are three full
// words: red and blue of the one frame, of the other, and both greens.
#pragma once

#include "labs/10_noise_filter/parts/change.hpp"
#include "labs/10_noise_filter/parts/windows.hpp"

namespace convolab::noise_filter {

inline constexpr int kTileWidth = 32, kTileHeight = 16;  // pixels; a thread for each

template <class Window, int K>
struct BothFrames {
    static constexpr int kThreads = kTileWidth * kTileHeight;
    static constexpr int kWidth = kTileWidth + K - 1, kHeight = kTileHeight + K - 1;  // with halo
    static constexpr int kCells = kWidth * kHeight, kColumns = kWidth * kTileHeight;

    unsigned words[3][kCells];
    unsigned columns[Window::kWords][kColumns];  // of one of the three

    /// The tile that begins at (left, top), with its halo. All threads; wait before using it.
    __device__ void load(const std::uint8_t* d_previous, const std::uint8_t* d_current, int left,
                         int top, int width, int height) {
        for (int cell = threadIdx.x; cell < kCells; cell += kThreads) {
            const int x = left - K / 2 + cell % kWidth, y = top - K / 2 + cell / kWidth;
            const std::uint8_t* d_before = nearest(d_previous, x, y, width, height);
            const std::uint8_t* d_now = nearest(d_current, x, y, width, height);
            words[0][cell] = d_before[0] | d_before[2] << 16;
            words[1][cell] = d_now[0] | d_now[2] << 16;
            words[2][cell] = d_before[1] | d_now[1] << 16;
        }
    }

    /// Word w of the thread's pixel, filtered. All threads.
    __device__ unsigned filtered(int w) {
        __syncthreads();  // the tile is loaded; the columns of another word are not needed any more
        for (int cell = threadIdx.x; cell < kColumns; cell += kThreads)
            Window::column([&](int j) { return words[w][cell + j * kWidth]; },
                           [&](int n, unsigned word) { columns[n][cell] = word; });
        __syncthreads();
        const int first = threadIdx.x / kTileWidth * kWidth + threadIdx.x % kTileWidth;
        return Window::combine([&](int n, int i) { return columns[n][first + i]; });
    }
};

/// How many samples of the thread's pixel changed, 0..3, when filtered. All threads; s_tile is shared.
template <class Window, int K>
__device__ int changed_samples(BothFrames<Window, K>& s_tile) {
    const unsigned before = s_tile.filtered(0), now = s_tile.filtered(1),
                   green = s_tile.filtered(2);
    return sample_changed(low(before), low(now)) + sample_changed(high(before), high(now)) +
           sample_changed(low(green), high(green));
}

/// A block for every tile of the frame.
inline LaunchShape shape_of_tiles(int width, int height) {
    return {dim3(static_cast<unsigned>(ceil_divide(width, kTileWidth)),
                 static_cast<unsigned>(ceil_divide(height, kTileHeight))),
            dim3(kTileWidth * kTileHeight)};
}

}  // namespace convolab::noise_filter
