// Copyright (c) 2026 The Convolab authors
// SPDX-License-Identifier: MIT
//
// The output cut into square blocks, row by row; those at the right and lower edge are smaller. The
// report cuts the padded image and shifts the blocks afterwards, so that its last block can overrun
// the image; cutting the output itself cannot.
#pragma once

#include <algorithm>
#include <vector>

#include "common/base/error.hpp"
#include "common/variant/nested_image.hpp"

namespace convolab {

/// side: pixels. Throws Unsupported where there are fewer blocks than threads.
inline std::vector<Rectangle> block_list(std::int64_t width, std::int64_t height, int side,
                                         int threads) {
    std::vector<Rectangle> blocks;
    for (std::int64_t y = 0; y < height; y += side)
        for (std::int64_t x = 0; x < width; x += side)
            blocks.push_back({x, y, std::min(x + side, width), std::min(y + side, height)});
    if (static_cast<std::int64_t>(blocks.size()) < threads)
        throw Unsupported("There are fewer blocks (" + std::to_string(blocks.size()) +
                          ") than threads (" + std::to_string(threads) + "); use smaller blocks.");
    return blocks;
}

}  // namespace convolab
