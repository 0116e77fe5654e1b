// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string>

#include "common/video/video.hpp"
#include "labs/10_noise_filter/parts/frame_filter.hpp"

namespace convolab::noise_filter {

/// The frames of a clip, filtered or not.
class ClipFilter {
  public:
    /// filter: box, gaussian, median, or none. Throws UsageError for other names, and Unsupported
    /// if the side is not 3, 5, 7 or 9.
    ClipFilter(FrameSource& source, const std::string& filter, int ksize);

    /// False at the end of the clip. Throws as FrameSource::next() does.
    bool next();
    const Image& unfiltered() const { return frame_; }
    const Image& filtered() const { return filter_ ? filtered_ : frame_; }

  private:
    FrameSource& source_;
    Image frame_, filtered_;
    std::optional<FrameFilter> filter_;
    FrameFilter::Scratch scratch_;
};

}  // namespace convolab::noise_filter
