// Copyright (c) 2026 The Convolab authors
// SPDX-License-Identifier: MIT
//
// Jobs that verify adds to its product of pictures, filters and borders. Each finds mistakes that
// the small pictures of the product cannot show.
#pragma once

#include <string>
#include <vector>

#include "common/convolution/border.hpp"
#include "common/convolution/filter.hpp"
#include "common/image/image.hpp"
#include "common/variant/lab.hpp"

namespace convolab {

/// How a picture is stored.
struct Storage {
    PixelType type;
    int channels;
    Layout layout = Layout::interleaved;
};

struct Single {
    std::string picture;  ///< as option --image of `lab run` takes it
    Storage storage;
    Filter filter;
    Border border = {};
    int turn = -1;  ///< of the settings; -1: the next one
};

/// Over 2^24 pixels: a float does not count them, nor an int the product with 300, as in the end of the
/// part of a thread, pixels * (i + 1) / threads.
inline constexpr const char* kHuge = "random:4099x4099:22";
inline constexpr int kManyThreads = 300;

/// quick: without kHuge.
std::vector<Single> verify_singles(bool quick, const Operation& operation);

}  // namespace convolab
