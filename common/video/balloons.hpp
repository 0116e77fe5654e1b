// Copyright (c) 2026 The Convolab authors
// SPDX-License-Identifier: MIT
//
// What moves in the synthetic clip: striped balloons that drift over the lake.
#pragma once

#include <cstdint>

#include "common/image/image.hpp"

namespace convolab {

/// Draws the balloons of frame number `frame` over an RGB picture. Integer arithmetic; lengths
/// follow the picture's height, so that the clip is one at any size.
void draw_balloons(Image& image, std::int64_t frame);

}  // namespace convolab
