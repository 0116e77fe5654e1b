// SPDX-License-Identifier: MIT
// Cuts the rows of the output into bands; a block computes its part of a band. There are as many
// long bands as the device runs at the same time. If these would have more than kTall rows, short
// bands follow, which fill the gaps when the long ones end at different times.
#pragma once

#include <cuda_runtime.h>

#include <algorithm>

#include "common/base/division.hpp"

namespace convolab::tensor_cores {

struct Bands {
    int long_count, long_rows, short_rows;  ///< the numbers of rows are even

    __device__ int begin(int i) const {
        return i < long_count ? i * long_rows
                              : long_count * long_rows + (i - long_count) * short_rows;
    }
    __device__ int end(int i, int height) const {
        return min(begin(i) + (i < long_count ? long_rows : short_rows), height);
    }
    unsigned count(int height) const {
        const int left = std::max(0, height - long_count * long_rows);
        return static_cast<unsigned>(long_count + ceil_divide(left, short_rows));
    }
};

/// at_once: how many bands run at the same time. The smallest filters read only a few rows twice,
/// so all bands of a tall image are short for them.
inline Bands bands_for(int height, unsigned at_once, int ksize) {
    constexpr int kTall = 100;        // at most, rows of a band without short ones
    constexpr int kLeast = 8;         // rows of a band, which reads K - 1 more
    constexpr int kMaxBands = 30000;  // well below what a grid can have
    const auto even = [](std::int64_t rows) { return static_cast<int>(2 * ceil_divide(rows, 2)); };
    const int side_by_side = std::max(1, static_cast<int>(at_once));
    int rows = even(ceil_divide(height, side_by_side));
    const int short_rows = std::max(ksize <= 3 ? 24 : 20, even(ceil_divide(height, kMaxBands)));
    if (rows > kTall && ksize <= 3) return {0, 0, short_rows};
    const int percent = ksize <= 5 ? 85 : 90;  // of all rows are in long bands, as measured
    if (rows > kTall) rows = even(ceil_divide(std::int64_t{percent} * height, 100 * side_by_side));
    rows = std::max(rows, kLeast);
    const int long_count = std::min(side_by_side, static_cast<int>(ceil_divide(height, rows)));
    return {long_count, rows, short_rows};
}

}  // namespace convolab::tensor_cores
