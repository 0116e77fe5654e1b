// Copyright (c) 2026 The Convolab authors
// SPDX-License-Identifier: MIT
//
// What verify compares: every filter x side x border on every picture; the pictures are the awkward
// sizes (smaller than the filter, one pixel wide, one past a tile) in 1, 3 and 4 channels, both
// layouts and all pixel types, and a photo-like one.
#pragma once

#include <string>
#include <vector>

#include "common/convolution/border.hpp"
#include "common/convolution/filter.hpp"
#include "common/image/image.hpp"
#include "common/variant/convolver.hpp"

namespace convolab {

struct VerifyPicture {
    std::string name;  ///< "17x31", "scene 240x135"
    Image image;
    bool every_filter = true;  ///< false: a large one, each filter with one border only
};

/// uint8, int32 and float32; each in the layouts there are. quick: a few small sizes.
/// photo: a PNG to add, or "".
std::vector<VerifyPicture> verify_pictures(bool quick, const std::string& photo);

/// All named filters, those of any size with K 3, 5, 7, 9, a Gaussian with sigma, and one whose
/// taps are all different, so that a flip or a transposition shows.
std::vector<Filter> verify_filters();

/// Launch settings to try a variant with, from those it uses: odd and even, 1, more than a tile.
std::vector<Settings> verify_settings(const Variant& variant, const Backend& backend);

}  // namespace convolab
