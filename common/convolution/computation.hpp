// SPDX-License-Identifier: MIT
// What to compute: images, filter, border.
#pragma once

#include <cstdint>
#include <vector>

#include "common/convolution/border.hpp"
#include "common/convolution/filter.hpp"
#include "common/image/image.hpp"

namespace convolab {

/// The images outlive it and everything made from it.
struct Computation {
    std::vector<const Image*>
        frames;  ///< one image; video labs: the previous frame, then the current
    Filter filter;
    Border border;

    const Image& image() const { return *frames.front(); }
    /// Size of a convolution's output: the image's, with border `valid` K - 1 less.
    std::int64_t out_width() const { return image().width() - lost(); }
    std::int64_t out_height() const { return image().height() - lost(); }

  private:
    int lost() const { return border.rule == BorderRule::valid ? filter.ksize() - 1 : 0; }
};

}  // namespace convolab
