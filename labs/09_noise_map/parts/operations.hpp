// Copyright (c) 2026 The Convolab authors
// SPDX-License-Identifier: MIT
//
// What the variants of this lab compute from two frames.
#pragma once

#include "common/variant/lab.hpp"

namespace convolab::noise {

/// A picture: red where a pixel changed, black elsewhere.
const Operation& red_on_black();
/// A picture: the previous frame, with the red sample 255 where a pixel changed.
const Operation& red_over_previous();
/// Two numbers: how many pixels and how many samples changed. An int32 image of 2x1.
const Operation& count_of_changes();
/// The numbers of the pixels that changed, in ascending order, then -1: an int32 image of one row.
const Operation& list_of_changes();

}  // namespace convolab::noise
