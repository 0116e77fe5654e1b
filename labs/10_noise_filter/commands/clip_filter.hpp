// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string>

#include "common/base/error.hpp"
#include "common/media/video.hpp"
#include "labs/10_noise_filter/parts/frame_filter.hpp"

namespace convolab::noise_filter {

/// The frames of a clip, filtered or not.
class ClipFilter {
  public:
    /// filter: box, gaussian, median, or none. Throws UsageError for other names, and Unsupported
    /// if the side is not 3, 5, 7 or 9.
    ClipFilter(FrameSource& source, const std::string& filter, int ksize)
        : source_(source),
          frame_(source.format().width, source.format().height, 3),
          filtered_(source.format().width, source.format().height, 3) {
        if (filter == "none") return;
        if (filter != "box" && filter != "gaussian" && filter != "median")
            throw UsageError("Option --filter takes none, box, gaussian or median, not '" + filter +
                             "'.");
        if (ksize != 3 && ksize != 5 && ksize != 7 && ksize != 9)
            throw UsageError("Option --ksize takes 3, 5, 7 or 9, not " + std::to_string(ksize) +
                             ".");
        filter_.emplace(Computation{{&frame_}, make_filter(filter, ksize), Border{}}, frame_);
        scratch_ = filter_->make_scratch();
    }

    /// False at the end of the clip. Throws as FrameSource::next() does.
    bool next() {
        if (!source_.next(frame_)) return false;
        if (filter_) filter_->rows(0, frame_.height(), filtered_, scratch_);
        return true;
    }
    const Image& unfiltered() const { return frame_; }
    const Image& filtered() const { return filter_ ? filtered_ : frame_; }

  private:
    FrameSource& source_;
    Image frame_, filtered_;
    std::optional<FrameFilter> filter_;
    FrameFilter::Scratch scratch_;
};

}  // namespace convolab::noise_filter
