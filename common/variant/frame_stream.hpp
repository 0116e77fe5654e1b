// Copyright (c) 2026 The Convolab authors
// SPDX-License-Identifier: MIT
#pragma once

#include <optional>

#include "common/image/image.hpp"

namespace convolab {

/// A clip through a variant that compares two frames, with several frames in flight: one is copied
/// in while another is computed and a third is copied out.
class FrameStream {
  public:
    /// Milliseconds of each step, of all frames together.
    struct Times {
        double copy_in = 0, kernel = 0, copy_out = 0;
    };

    virtual ~FrameStream() = default;
    /// Takes the clip's next frame. Gives the output of the pair before, where there is one: it
    /// lags one frame behind.
    virtual std::optional<Image> next(const Image& frame) = 0;
    /// After the last frame: the output that is still missing.
    virtual std::optional<Image> finish() = 0;
    /// Of the outputs that were given.
    virtual Times times() const = 0;
};

}  // namespace convolab
