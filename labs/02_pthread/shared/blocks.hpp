// SPDX-License-Identifier: MIT
// The output, cut into square blocks that are numbered row by row. Blocks at the right and lower
// edges may be smaller. ariano2023's program makes as many blocks as the padded image needs, so its
// last block can be empty, and the one before it can run past the last row. These blocks cannot.
#pragma once

#include <algorithm>
#include <string>

#include "common/base/division.hpp"
#include "common/base/error.hpp"
#include "labs/02_pthread/shared/nested_part.hpp"

namespace convolab {

struct Blocks {
    Blocks(std::int64_t width, std::int64_t height, int side)
        : width(width), height(height), side(side), columns(ceil_divide(width, side)) {}

    std::int64_t count() const { return columns * ceil_divide(height, side); }

    Rectangle operator[](std::int64_t block) const {
        const std::int64_t x = block % columns * side;
        const std::int64_t y = block / columns * side;
        return {x, y, std::min(x + side, width), std::min(y + side, height)};
    }

    std::int64_t width, height, side, columns;
};

/// The input of blocks and queue. Throws Unsupported if there are fewer blocks than threads.
struct ThreadedBlocks : ThreadedNested {
    explicit ThreadedBlocks(const Job& job)
        : ThreadedNested(job), blocks(job.out_width(), job.out_height(), job.settings.block) {
        if (blocks.count() < threads)
            throw Unsupported("There are fewer blocks (" + std::to_string(blocks.count()) +
                              ") than threads (" + std::to_string(threads) + "); use " +
                              (blocks.width * blocks.height < threads ? "" : "smaller blocks or ") +
                              "fewer threads.");
    }

    Blocks blocks;
};

}  // namespace convolab
