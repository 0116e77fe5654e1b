// Copyright (c) 2026 The Convolab authors
// SPDX-License-Identifier: MIT
//
// nested (ariano2023, sections 3.2 and 3.3)
//
// The idea: the first program one writes. The image is a vector of rows of pixels of channels,
// padded so that no tap has to look where it is; the filter is a vector of rows. Five loops: row,
// column, channel, and the two of the filter (common/variant/nested_image.cpp, which lab 02 divides among
// threads).
//
// What limits it: memory. Each pixel is an allocation of its own: 24 bytes of vector and 32 bytes
// of heap for 3 bytes of colour, and three dependent loads to reach a sample.
//
// Alone: build/labs/01_sequential/lab bench --variant nested --size 1080p
#include "common/variant/cpu_convolver.hpp"
#include "common/variant/nested_image.hpp"

namespace convolab {
namespace {

class Nested final : public CpuConvolver {
  public:
    explicit Nested(const Job& job) : CpuConvolver(job), convolution_(job) {}

    void run() override {
        convolution_.convolve({0, 0, output_.width(), output_.height()}, divisors_, output_);
    }

  private:
    NestedConvolution convolution_;
};

}  // namespace

extern const Variant nested;
const Variant nested{
    .name = "nested",
    .idea = "padded image as rows of pixels of channels, three nested vectors of float",
    .make = [](const Job& job) { return std::make_unique<Nested>(job); },
    .memory = nested_memory,
};

}  // namespace convolab
