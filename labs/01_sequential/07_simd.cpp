// Copyright (c) 2026 The Convolab authors
// SPDX-License-Identifier: MIT
//
// simd -- one pass over the image, 16-bit sums, vectors of 32 or 64 bytes
// Source: new.
// Idea: where 16 bits can represent the sums, one AVX-512 instruction works on 32 or 64 samples,
//     and the 5x5 Gaussian takes 25 instructions for 64 samples: two taps per multiplication along
//     the row, four additions per sample down the column. common/row_filter/README.md explains it
//     part by part. The instruction set (AVX-512, AVX2, or plain code) is chosen when the program
//     runs; CONVOLAB_ISA=plain, avx2, avx512 or avx512vnni chooses another.
// Since separable: no second image in memory, no floats, no division, wider vectors.
// Limit: memory for the Gaussian of a large image (3x3, and 5x5 in part); otherwise one
//     multiplication per cycle.
// Alone: build/labs/01_sequential/lab bench --variant simd --size 1080p
#include "common/row_filter/row_filter.hpp"
#include "common/variant/cpu_variant.hpp"
#include "labs/01_sequential/variants.hpp"

namespace convolab {
namespace {

struct OneThread {
    explicit OneThread(const Job& job) : filter(job), scratch(filter.make_scratch()) {}

    static constexpr bool makes_whole_frame = true;  // also with border `renormalise`
    RowFilter filter;
    RowFilter::Scratch scratch;
};

void convolve(OneThread& job, Image& result) {
    job.filter.rows(0, result.height(), result, job.scratch);
}

}  // namespace

const Variant simd = cpu_variant(
    {.name = "simd", .idea = "one pass, 16-bit sums, AVX-512 or AVX2 chosen at run time"},
    convolve);

}  // namespace convolab
