// Copyright (c) 2026 The Convolab authors
// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "common/video/video.hpp"

namespace convolab {

/// The clip that --video names: as open_source() takes it, a synthetic one also with its size,
/// moving:480p. length: frames of a synthetic clip; others are read to their end.
std::unique_ptr<FrameSource> open_clip(const std::string& name, std::optional<int> length);

}  // namespace convolab
