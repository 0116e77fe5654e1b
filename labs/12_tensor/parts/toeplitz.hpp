// SPDX-License-Identifier: MIT
// A filter as a matrix. A column of 8 bytes x 2 rows of the output depends on K + 1 input rows, and
// in each on a window of 8 + 2 p C bytes (C channels, p = K / 2). The window begins p C bytes
// before the column. Each of the 16 outputs is a dot product: a row of the matrix times the bytes
// of the windows. The taps of an output byte are C bytes apart; the next byte has the same taps,
// one place to the right. A matrix with equal numbers along its diagonals is a Toeplitz matrix.
//
// The matrix has (K + 1) / 2 parts, one for every two input rows: part j belongs to rows 2 j and 2
// j + 1 of the windows.
#pragma once

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <string>
#include <vector>

#include "common/base/error.hpp"
#include "common/convolution/filter.hpp"

namespace convolab::tensor_cores {

inline constexpr int kColumnBytes = 8;  ///< bytes of an output row

class Toeplitz {
  public:
    /// Divides the taps and the divisor by their common factor. Throws Unsupported if a tap then
    /// needs more than 8 bits, or if K is not 1, 3, 5, 7 or 9.
    Toeplitz(const Filter& filter, int channels)
        : ksize_(filter.ksize()), channels_(channels), divisor_(filter.divisor()) {
        if (ksize_ > 9)
            throw Unsupported("The matrix is made for filters of side 1, 3, 5, 7, 9; " +
                              std::to_string(ksize_) + " is not among them.");
        std::int32_t factor = filter.divisor();
        for (const std::int32_t tap : filter.taps()) factor = std::gcd(factor, tap);
        divisor_ /= factor;
        for (const std::int32_t tap : filter.taps()) {
            if (tap / factor < -128 || tap / factor > 127)
                throw Unsupported("The matrix takes taps from -128 to 127; the filter '" +
                                  filter.name() + "' of side " + std::to_string(ksize_) +
                                  " has one of " + std::to_string(tap / factor) + " over " +
                                  std::to_string(divisor_) + ".");
            taps_.push_back(static_cast<std::int8_t>(tap / factor));
        }
    }

    int parts() const { return (ksize_ + 1) / 2; }
    int reach() const { return ksize_ / 2 * channels_; }       ///< bytes on each side of a column
    int window() const { return kColumnBytes + 2 * reach(); }  ///< bytes of a row
    std::int32_t divisor() const { return divisor_; }
    std::int32_t largest_sum() const {
        std::int32_t sum = 0;
        for (const std::int8_t tap : taps_) sum += 255 * std::max<std::int32_t>(tap, 0);
        return sum;
    }

    /// Returns the weight of byte `at` of window row `row`, 0 to K, in byte x, 0 to 7, of output
    /// row `out`, 0 or 1.
    std::int8_t weight(int out, int x, int row, int at) const {
        const int j = row - out;  // row of the filter
        const int i = at - x;     // bytes from its left column
        const bool is_tap =
            0 <= j && j < ksize_ && 0 <= i && i < ksize_ * channels_ && i % channels_ == 0;
        return is_tap ? taps_[static_cast<std::size_t>(j * ksize_ + i / channels_)] : std::int8_t{};
    }

  private:
    int ksize_, channels_;
    std::int32_t divisor_;
    std::vector<std::int8_t> taps_;
};

}  // namespace convolab::tensor_cores
