// Copyright (c) 2026 The Convolab authors
// SPDX-License-Identifier: MIT
//
// simd
//
// The idea: one pass over the image, and 16 bits where they hold the sums. An instruction of
// AVX-512 then works on 32 or 64 samples, and the 5x5 Gaussian takes 25 of them for 64 samples: two
// taps a multiplication along the row, four additions a sample down the column.
// labs/01_sequential/row_filter/row_filter.hpp explains how; lab 02 `simd_rows` runs the same on every core. The
// instruction set (AVX-512, AVX2, or whatever the compiler knows of any machine) is chosen when the
// program runs; CONVOLAB_ISA=plain, avx2, avx512 or avx512vnni overrules it.
//
// Since separable: no second image in memory, no float, no division; vectors of 64 bytes instead
// of 16.
//
// What limits it: the 3x3 Gaussian of a large image, memory; other Gaussians, one multiplication a
// cycle; both with numbers in README.md.
//
// Alone: build/labs/01_sequential/lab bench --variant simd --size 1080p
#include "common/variant/cpu_convolver.hpp"
#include "labs/01_sequential/row_filter/row_filter.hpp"

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
    .idea = "one pass, 16-bit sums, AVX-512 or AVX2 chosen at run time",
    .make = [](const Job& job) { return std::make_unique<Simd>(job); },
};

}  // namespace convolab
