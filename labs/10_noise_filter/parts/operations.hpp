// Copyright (c) 2026 The Convolab authors
// SPDX-License-Identifier: MIT
//
// What the variants of this lab compute: filters are box (the mean), gaussian and median; beyond
// the edge the nearest pixel counts.
#pragma once

#include "common/variant/lab.hpp"

namespace convolab::noise_filter {

/// Both frames are filtered and compared: red where a pixel still differs by more than the
/// threshold, black elsewhere.
const Operation& marks();
/// The current frame, filtered.
const Operation& filtered();
/// Two numbers: how many pixels and how many samples of the filtered frames differ by more than the
/// threshold. An int32 image of 2x1.
const Operation& counts();

/// A frame filtered by plain loops: RGB, uint8, interleaved.
Image reference_filter(const Job& job, const Image& frame);

}  // namespace convolab::noise_filter
