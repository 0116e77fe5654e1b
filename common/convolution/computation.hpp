// SPDX-License-Identifier: MIT
// What to compute: images, filter, border, and the settings that a variant is launched with.
#pragma once

#include <cstdint>
#include <vector>

#include "common/convolution/border.hpp"
#include "common/convolution/filter.hpp"
#include "common/image/image.hpp"

namespace convolab {

/// How a variant is launched; each reads the settings that it declares in Variant::uses. What they
/// mean stands in common/variant/settings.hpp.
struct Settings {
    int threads = 1;
    int block = 16;  ///< side of a block: of pixels on the CPU, of threads on a GPU
    int streams = 3;
    int bands = 0;  ///< of an image, copied one by one; 0: one per stream
    int in_flight = 3;
    int frames = 32;
    int block_threads = 1024;
    int kernel = 2;   ///< labs 06 and 11: 1 the plain one, 2 the packed one
    int filters = 4;  ///< of a chain
    int ranks = 1;
    int passes = 1;  ///< of the same filter
    int halo_passes = 4;
    int devices = 0;  ///< GPUs that take part; 0: all

    int bands_or_streams() const { return bands > 0 ? bands : streams; }
};

/// The images outlive the job and everything made from it.
struct Job {
    std::vector<const Image*>
        frames;  ///< one image; video labs: the previous frame, then the current
    Filter filter;
    Border border;
    Settings settings;

    const Image& image() const { return *frames.front(); }
    /// Size of a convolution's output: the image's, with border `valid` K - 1 less.
    std::int64_t out_width() const { return image().width() - lost(); }
    std::int64_t out_height() const { return image().height() - lost(); }

  private:
    int lost() const { return border.rule == BorderRule::valid ? filter.ksize() - 1 : 0; }
};

}  // namespace convolab
