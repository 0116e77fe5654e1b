// Copyright (c) 2026 The Convolab authors
// SPDX-License-Identifier: MIT
//
// The two pieces every padded variant shares: the image with its border made explicit, and the
// divisor of each output pixel. With them all seven borders are one loop:
//
//   out(x, y, c) = sum over i, j of tap(i, j) padded(x + i, y + j, c) / divisor(x, y)
#pragma once

#include <cstdint>
#include <vector>

#include "common/variant/convolver.hpp"

namespace convolab {

/// The job's image with p pixels of border on each side, interleaved, its type as asked for; with
/// border `valid` the image itself, with `renormalise` zeros. Either way it is 2p larger than the
/// output on each axis. Throws Unsupported where `valid` leaves no output.
Image pad(const Job& job, PixelType type);

/// Throws Unsupported, with the reason, for what no variant can compute: `valid` with an image
/// smaller than the filter, `renormalise` with taps that do not allow it.
void check_possible(const Job& job);

/// What the sum at (x, y) is divided by: the filter's divisor, or the sum of the taps that fall
/// inside the image where the border is `renormalise`.
class Divisors {
  public:
    explicit Divisors(const Job& job);

    std::int32_t at(std::int64_t x, std::int64_t y) const {
        return renormalise_ ? taps_inside(x, y) : divisor_;
    }

  private:
    std::int32_t taps_inside(std::int64_t x, std::int64_t y) const;

    bool renormalise_;
    std::int32_t divisor_;
    int ksize_;
    std::int64_t width_;
    std::int64_t height_;
    std::vector<std::int32_t> prefix_;  // (K + 1)^2 sums of the taps above and left
};

}  // namespace convolab
