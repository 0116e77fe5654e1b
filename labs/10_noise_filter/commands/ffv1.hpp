// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>

#include "common/video/child_process.hpp"
#include "common/video/video.hpp"

namespace convolab::noise_filter {

/// Measures how many bytes FFV1, the lossless codec of the program ffmpeg, needs for a clip.
class Ffv1 {
  public:
    /// Throws Skipped if there is no ffmpeg, Error if it cannot be started.
    explicit Ffv1(const VideoFormat& format);
    ~Ffv1();
    Ffv1(const Ffv1&) = delete;
    Ffv1& operator=(const Ffv1&) = delete;

    void write(const Image& frame);
    /// The size of the file, including the bytes of its format. Throws Error.
    std::int64_t finish();

  private:
    std::filesystem::path folder_;  ///< for this clip alone; removed at the end
    std::unique_ptr<ChildProcess> child_;
};

}  // namespace convolab::noise_filter
