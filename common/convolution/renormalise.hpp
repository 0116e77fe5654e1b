// SPDX-License-Identifier: MIT
// Border `renormalise` without a divisor for every pixel. In the loops of a variant a missing
// pixel counts as 0 and the divisor is the filter's, which is right wherever the whole filter lies
// inside the image. The other pixels form a frame, p pixels wide. This function computes them
// again: the taps that fall inside the image, divided by their own sum.
#pragma once

#include <cstdint>
#include <vector>

#include "common/convolution/computation.hpp"

namespace convolab {

/// Rows of interleaved bytes in anybody's memory.
template <class Byte>
struct Rows {
    Byte* first;         ///< of row 0
    std::int64_t pitch;  ///< bytes from one row to the next

    Byte* row(std::int64_t y) const { return first + y * pitch; }
};
using InRows = Rows<const std::uint8_t>;
using OutRows = Rows<std::uint8_t>;

/// Rows y0 .. y1 - 1 of the frame, written to `out`: the size and type of the job's image, in any
/// layout. Does nothing for other borders. Threads may work on different rows at the same time.
void renormalise_frame(const Computation& job, Image& out, std::int64_t y0, std::int64_t y1);

/// The working memory of one thread.
struct FrameScratch {
    std::vector<float> sums;
    std::vector<std::int32_t> before;
};
FrameScratch frame_scratch(const Computation& job);

/// The same for interleaved bytes in other memory. Allocates nothing.
void renormalise_frame(const Computation& job, InRows in, OutRows out, std::int64_t y0,
                       std::int64_t y1, FrameScratch& scratch);

}  // namespace convolab
