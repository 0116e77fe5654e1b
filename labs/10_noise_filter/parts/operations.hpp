// SPDX-License-Identifier: MIT
// What the variants of this lab compute. The filters are box (the mean), gaussian and median.
// Outside the frame, the nearest pixel of the frame counts.
#pragma once

#include "common/variant/lab.hpp"

namespace convolab::noise_filter {

/// Both frames are filtered and compared. Pixels that still differ by more than the threshold are
/// red, and all others black.
const Operation& marks();
/// The current frame, filtered.
const Operation& filtered();
/// Two numbers, how many pixels and how many samples of the filtered frames differ by more than the
/// threshold, as an int32 image of 2x1.
const Operation& counts();

/// A frame filtered by plain loops: RGB, uint8, interleaved.
Image reference_filter(const Job& job, const Image& frame);

}  // namespace convolab::noise_filter
