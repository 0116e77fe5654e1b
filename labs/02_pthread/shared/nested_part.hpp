// SPDX-License-Identifier: MIT
// What rows, grid, blocks, queue and openmp compute: lab 01's `nested`, for a rectangle of pixels.
#pragma once

#include "common/variant/nested_image.hpp"

namespace convolab {

/// The input of these variants: lab 01's input, and how many threads share the work.
struct ThreadedNested : Nested {
    explicit ThreadedNested(const Job& job) : Nested(job), threads(job.settings.threads) {}

    int threads;
};

/// The output pixels x0 .. x1 - 1 of rows y0 .. y1 - 1.
struct Rectangle {
    std::int64_t x0, y0, x1, y1;
};

/// Computes a rectangle of the output on the calling thread. If the rectangles of different threads
/// do not overlap, no thread writes what another reads or writes, and nothing has to be locked.
void convolve(const Nested& job, const Rectangle& part, Image& result);

}  // namespace convolab
