// SPDX-License-Identifier: MIT
// What the labs of video read: the previous frame and the current one.
#pragma once

#include <cstdint>

#include "common/image/image.hpp"
#include "common/variant/convolver.hpp"

namespace convolab {

/// Both frames of a job, uint8, interleaved, of one size. The job's images may be given other
/// content between two runs; frames that are planar are copied here, once.
class FramePair {
  public:
    /// Throws Unsupported for images of other types, and frames that differ in size.
    explicit FramePair(const Job& job);
    FramePair(const FramePair&) = delete;
    FramePair& operator=(const FramePair&) = delete;

    const Image& previous() const { return *frames_[0]; }
    const Image& current() const { return *frames_[1]; }
    std::int64_t pixels() const { return previous().pixels(); }

    static constexpr bool makes_whole_frame = true;  ///< there is no border

  private:
    Image converted_[2];
    const Image* frames_[2];
};

}  // namespace convolab
