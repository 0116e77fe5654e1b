// SPDX-License-Identifier: MIT
#include "labs/10_noise_filter/commands/clip_filter.hpp"

#include <algorithm>

#include "common/base/error.hpp"

namespace convolab::noise_filter {

ClipFilter::ClipFilter(FrameSource& source, const std::string& filter, int ksize)
    : source_(source),
      frame_(source.format().width, source.format().height, 3),
      filtered_(source.format().width, source.format().height, 3) {
    if (filter == "none") return;
    if (filter != "box" && filter != "gaussian" && filter != "median")
        throw UsageError("Option --filter takes none, box, gaussian or median, not '" + filter +
                         "'.");
    if (ksize != 3 && ksize != 5 && ksize != 7 && ksize != 9)
        throw UsageError("Option --ksize takes 3, 5, 7 or 9, not " + std::to_string(ksize) + ".");
    filter_.emplace(Job{{&frame_}, make_filter(filter, ksize), Border{}, Settings{}}, frame_);
    scratch_ = filter_->make_scratch();
}

bool ClipFilter::next() {
    if (!source_.next(frame_)) return false;
    if (filter_) filter_->rows(0, frame_.height(), filtered_, scratch_);
    return true;
}

}  // namespace convolab::noise_filter
