// SPDX-License-Identifier: MIT
// The picture that everything is measured on: a mountain lake with a test chart, drawn natively at
// any size, the same bytes on every machine.
#pragma once

#include <cstdint>

#include "common/image/image.hpp"

namespace convolab {

/// RGB, uint8, interleaved. Both sides from 1 to 65535 pixels; throws Error for others. The scene
/// is fitted to the height; a wider picture shows more of it to the left and right.
Image draw_scene(std::int64_t width, std::int64_t height);

}  // namespace convolab
