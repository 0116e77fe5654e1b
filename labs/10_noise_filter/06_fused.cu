// Copyright (c) 2026 The Convolab authors
// SPDX-License-Identifier: MIT
//
// fused -- both frames filtered and compared by one kernel
// Source: new.
// Idea: the filtered frames never go to memory: a thread has its pixel of both and writes the mark. A block
//     goes down the frames; a thread keeps the last K pixels of its column in registers, so each pixel is
//     loaded once per strip, and the next one is on its way meanwhile (parts/strip.hpp).
// Since columns: the comparison in the same kernel; columns from registers; six samples of the two frames in
//     three full words; nearly every thread computes a pixel per row, whatever K is.
// Limit: instructions: 3K loads from shared memory per pixel; for the median, comparisons.
// Alone: build/labs/10_noise_filter/lab bench --variant fused --ksize 3,5,7,9 --size 1080p
#include "common/cuda/frame_pair.hpp"
#include "labs/10_noise_filter/parts/strip.hpp"

namespace convolab::noise_filter {

template <class Window, int K>
static __global__ void __launch_bounds__(kStripThreads)
    mark_changes(BothFrames in, std::uint8_t* d_out) {
    go_down<Window, K>(in, [&](int x, int y, int changed_samples) {
        store_pixel(d_out, y * in.width + x, changed_samples > 0 ? 255 : 0, 0);
    });
}

extern const Variant fused = frame_pair_variant(
    {.name = "fused",
     .idea = "both frames filtered and compared by one kernel",
     .pinned_frames = true},
    [](CudaFramePair& v) {
        v.keeps_the_previous_frame();
        with_window<Mean, Gaussian, Median>(v.job, [&v]<class Window, int K>() {
            v.prepare(mark_changes<Window, K>, shape_of_strips(v.width, v.height, K));
            v.launches([&v] {
                mark_changes<Window, K><<<v.grid, v.block>>>(
                    {v.d_previous(), v.d_current(), v.width, v.height}, v.d_out());
            });
        });
    });

}  // namespace convolab::noise_filter
