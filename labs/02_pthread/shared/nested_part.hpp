// Copyright (c) 2026 The Convolab authors
// SPDX-License-Identifier: MIT
//
// What rows, grid, blocks and queue compute: lab 01's `nested`, a rectangle at a time.
#pragma once

#include "common/variant/nested_image.hpp"

namespace convolab {

/// The input of this lab's variants: lab 01's, and how many threads share the work.
struct ThreadedNested : Nested {
    explicit ThreadedNested(const Job& job) : Nested(job), threads(job.settings.threads) {}

    int threads;
};

/// Output pixels x0 .. x1 - 1 of rows y0 .. y1 - 1.
struct Rectangle {
    std::int64_t x0, y0, x1, y1;
};

/// The rectangle of the output, by the calling thread. Rectangles of different threads must not
/// overlap; then no thread writes what another reads or writes, and nothing has to be locked.
void convolve(const Nested& job, const Rectangle& part, Image& result);

}  // namespace convolab
