// SPDX-License-Identifier: MIT
// simd -- one pass over the image, 16-bit sums, vectors of 32 or 64 bytes
// Source: new.
// Idea: if 16 bits can hold the sums, one AVX-512 instruction works on 32 or 64 samples. The 5x5
//     Gaussian then takes 25 instructions for 64 samples: along the row, each multiplication does
//     two taps; down the column, four additions replace five taps. common/row_filter/README.md
//     explains every step. The program picks AVX-512, AVX2 or plain code when it runs;
//     CONVOLAB_ISA=plain, avx2, avx512 or avx512vnni overrides the choice.
// Since separable: there is no second image in memory, no float and no division, and the vectors
//     are wider.
// Limit: memory, for the Gaussian of a large image (3x3, and 5x5 in part); for other filters, the
//     processor's one multiplication per cycle.
// Alone: build/labs/01_sequential/lab bench --variant simd --size 1080p
#include "common/row_filter/row_filter.hpp"
#include "common/variant/cpu_variant.hpp"
#include "labs/01_sequential/variants.hpp"

namespace convolab {
namespace {

struct OneThread {
    explicit OneThread(const Job& job) : filter(job), scratch(filter.make_scratch()) {}

    static constexpr bool makes_whole_frame = true;  // also for border `renormalise`
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
