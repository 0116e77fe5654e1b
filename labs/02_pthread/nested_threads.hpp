// Copyright (c) 2026 The Convolab authors
// SPDX-License-Identifier: MIT
//
// What rows, grid, blocks and queue share: the nested image of lab 01. They differ in who computes
// what.
#pragma once

#include "common/variant/cpu_convolver.hpp"
#include "common/variant/nested_image.hpp"

namespace convolab {

class NestedThreads : public CpuConvolver {
  protected:
    explicit NestedThreads(const Job& job)
        : CpuConvolver(job), threads_(job.settings.threads), convolution_(job) {}

    /// Rectangles given to different threads must not overlap.
    void convolve(const Rectangle& rectangle) {
        convolution_.convolve(rectangle, divisors_, output_);
    }

    int threads_;

  private:
    NestedConvolution convolution_;
};

}  // namespace convolab
