// SPDX-License-Identifier: MIT
// cpu_simd -- one core, vectors of 32 or 64 bytes
// Source: new.
// Idea: for mean and Gaussian, it calls lab 01's row filter: two passes of 16-bit sums. The median
//     is found by a fixed list of comparisons (parts/median_network.hpp), each of which orders 64
//     samples at once. A column is sorted once for all K windows that contain it
//     (median_rows/row_kernel.hpp).
// Since cpu: no branch depends on a sample, and many samples are computed at a time.
// Limit: the arithmetic of the row filter; for the median, comparisons.
// Alone: build/labs/10_noise_filter/lab bench --variant cpu,cpu_simd --filter median --ksize 3,5
//     --size 1080p
#include "common/measurement/cpu_backend.hpp"
#include "common/noise_map/mark_rows.hpp"
#include "common/variant/cpu_variant.hpp"
#include "common/variant/frame_pair.hpp"
#include "labs/10_noise_filter/parts/frame_filter.hpp"
#include "labs/10_noise_filter/variants.hpp"

namespace convolab::noise_filter {
namespace {

struct Frames : FramePair {
    explicit Frames(const Job& job)
        : FramePair(job),
          filters{{job, previous()}, {job, current()}},
          scratch(filters[0].make_scratch()),
          filtered{previous().copy(), current().copy()} {}

    FrameFilter filters[2];
    FrameFilter::Scratch scratch;
    Image filtered[2];
    noise::MarkRows mark_rows = noise::fastest_mark_rows();
};

void filter_and_compare(Frames& frames, Image& result) {
    for (int i = 0; i < 2; ++i)
        frames.filters[i].rows(0, result.height(), frames.filtered[i], frames.scratch);
    frames.mark_rows(frames.filtered[0].data<std::uint8_t>(),
                     frames.filtered[1].data<std::uint8_t>(), result.data<std::uint8_t>(),
                     result.pixels());
}

}  // namespace

const Variant cpu_simd = cpu_variant({.name = "cpu_simd",
                                      .idea = "one thread, SIMD, the median by sorting networks",
                                      .channels = {3},
                                      .backend = &cpu_backend()},
                                     filter_and_compare);

}  // namespace convolab::noise_filter
