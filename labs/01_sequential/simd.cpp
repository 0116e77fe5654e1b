// Copyright (c) 2026 The Convolab authors
// SPDX-License-Identifier: MIT
//
// simd
//
// The idea: one pass over the image. The sums of only K rows are kept, in a ring that fits the
// nearest cache, so that each sample is read from memory once and written once
// (common/row_filter.hpp, which lab 02 `simd_rows` runs on every core). Integers all the way; a
// divisor that is a power of two is a shift.
//
// Since separable: no second image in memory, no float division.
//
// What limits it: the vector width the compiler may assume (16 bytes on any x86-64) and 32-bit sums
// where 16 bits would do.
//
// Alone: build/labs/01_sequential/lab bench --variant simd --size 1080p
#include "common/cpu_convolver.hpp"
#include "common/row_filter.hpp"

namespace convolab {
namespace {

class Simd final : public CpuConvolver {
  public:
    explicit Simd(const Job& job)
        : CpuConvolver(job), filter_(job), scratch_(filter_.make_scratch()) {}

    void run() override { filter_.rows(0, output_.height(), output_, scratch_); }

  private:
    RowFilter filter_;
    RowFilter::Scratch scratch_;
};

}  // namespace

extern const Variant simd;
const Variant simd{
    .name = "simd",
    .idea = "one pass, a ring of K rows in the nearest cache, integers; SIMD along the row",
    .make = [](const Job& job) { return std::make_unique<Simd>(job); },
};

}  // namespace convolab
