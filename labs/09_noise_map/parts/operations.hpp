// SPDX-License-Identifier: MIT
// What the variants of this lab compute from two frames.
#pragma once

#include "common/variant/lab.hpp"

namespace convolab::noise {

/// A picture in which changed pixels are red, and all others black.
const Operation& red_on_black();
/// A picture: the previous frame, in which the red samples of changed pixels are 255.
const Operation& red_over_previous();
/// Two numbers, how many pixels and how many samples changed, as an int32 image of 2x1.
const Operation& count_of_changes();
/// The numbers of the changed pixels in ascending order, then -1, as an int32 image of one row.
const Operation& list_of_changes();

}  // namespace convolab::noise
