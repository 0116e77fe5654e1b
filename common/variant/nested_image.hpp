// Copyright (c) 2026 The Convolab authors
// SPDX-License-Identifier: MIT
//
// The image as ariano2023 (sections 3.2 and 3.3) holds it: a vector of rows of pixels of channels,
// float. Every pixel is an allocation of its own; lab 01 shows what that costs, lab 02 shares it.
#pragma once

#include <cstdint>
#include <vector>

#include "common/convolution/padding.hpp"
#include "common/variant/convolver.hpp"

namespace convolab {

using NestedImage = std::vector<std::vector<std::vector<float>>>;  // [row][column][channel]
using NestedFilter = std::vector<std::vector<float>>;              // [row][column]

/// Output pixels x0 .. x1 - 1 of rows y0 .. y1 - 1.
struct Rectangle {
    std::int64_t x0, y0, x1, y1;
};

/// A job's padded image and filter in nested vectors, and its convolution over any rectangle.
class NestedConvolution {
  public:
    explicit NestedConvolution(const Job& job);

    /// Writes the rectangle of `out` (interleaved, the image's 8-bit type). Threads may work on
    /// rectangles that do not overlap at the same time.
    void convolve(const Rectangle& rectangle, const Divisors& divisors, Image& out) const;

  private:
    NestedImage image_;
    NestedFilter filter_;
};

/// Bytes of a NestedConvolution and its output for this job, as malloc rounds them.
MemoryNeed nested_memory(const Job& job);

}  // namespace convolab
