// Copyright (c) 2026 The Convolab authors
// SPDX-License-Identifier: MIT
//
// The pictures that an answer gets, drawn from a seed. The program of the answer and the judge draw
// the same.
#pragma once

#include <string>
#include <vector>

#include "common/exercise/exercise.hpp"

namespace convolab::exercise {

/// From `from` on, fewer than `more` more.
inline int drawn_from(int from, int more, std::mt19937& draw) {
    return from + static_cast<int>(draw() % more);
}

/// Larger than 8k, the largest size of the labs, in both directions, but never in both at once:
/// arrays and grids for a fixed size are too small for one of them.
inline std::vector<Size> any_sizes(std::mt19937& draw) {
    return {{drawn_from(33, 30, draw), drawn_from(17, 23, draw)},
            {drawn_from(65, 120, draw), drawn_from(36, 52, draw)},
            {drawn_from(2, 6, draw), drawn_from(2, 4, draw)},
            {drawn_from(7681, 999, draw), drawn_from(2, 2, draw)},
            {drawn_from(2, 4, draw), drawn_from(4321, 499, draw)}};
}

/// `mode` is bytes, count or time.
template <class T>
std::vector<Drawn> plan(const Exercise<T>& exercise, const std::string& mode, unsigned seed) {
    std::mt19937 draw(seed);
    std::vector<Drawn> all;
    const auto add = [&](Size size, bool is_impulse = false) {
        const int turn = static_cast<int>(all.size());
        all.push_back({turn, size, static_cast<unsigned>(draw()), is_impulse});
    };
    if (mode == "count") {
        draw.discard(10);  // other sizes than those of the bytes
        for (const Size size : exercise.counted_sizes)
            add({drawn_from(size.width, size.width / 4, draw),
                 drawn_from(size.height, size.height / 4, draw)});
    } else if (mode == "time") {
        const Size size = exercise.timed(draw);
        for (int run = 0; run < 3 * exercise.timed_runs; ++run) add(size);
        // One that fills no array for an 8k picture, but is greater.
        add({drawn_from(7681, 64, draw), drawn_from(4321, 32, draw)});
    } else {
        const auto sizes = exercise.sizes ? exercise.sizes(draw) : any_sizes(draw);
        for (const Size size : sizes) add(size);
        add(sizes[0], true);  // another picture: an answer may not keep what it gave before
    }
    return all;
}

}  // namespace convolab::exercise
