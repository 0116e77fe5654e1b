// Copyright (c) 2026 The Convolab authors
// SPDX-License-Identifier: MIT
//
// The synthetic clip: the scene of common/scene, seen by a camera whose motion and noise are known.
// Any size, any length, the same bytes on every machine.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "common/video/video.hpp"

namespace convolab {

enum class SyntheticKind {
    moving,   ///< the camera stands still, balloons pass
    panning,  ///< the camera turns over the scene: everything moves
    still,    ///< "static": only the noise changes
    black     ///< the camera is covered: nothing but read noise
};

/// The kind of this name: moving, panning, static, black; nothing for another.
std::optional<SyntheticKind> synthetic_kind(const std::string& name);

/// Throws Error or UsageError for a size, length or noise that cannot be.
std::unique_ptr<FrameSource> make_synthetic_source(SyntheticKind kind,
                                                   const SyntheticSettings& settings);

/// Draws the balloons of frame number `frame` over an RGB picture: what moves in the clip `moving`.
/// Integer arithmetic; lengths follow the picture's height, so that the clip is one at any size.
void draw_balloons(Image& image, std::int64_t frame);

}  // namespace convolab
