// SPDX-License-Identifier: MIT
// v3 -- the mark is written over the previous frame
// Source: videostream2021, 2.0.4.
// Idea: the map is the previous frame, in which the red sample of each changed pixel becomes 255.
//     So an unchanged pixel needs no store, and no output is allocated.
// Since v2: the marks are set in registers. A vector of 16 bytes is stored only if it contains a
//     new mark, so 16 pixels take 0 to 3 stores instead of 16, and the time depends on the picture.
//     (The report timed a covered camera, section 2.0.3, for which hardly any pixel changes.)
// Limit: the integer instructions of one multiprocessor, if few pixels change.
// Alone: build/labs/09_noise_map/lab bench --variant v2,v3 --image black --size 1080p
#include "common/cuda/frame_pair.hpp"
#include "labs/09_noise_map/parts/operations.hpp"
#include "labs/09_noise_map/parts/sixteen_pixels.hpp"
#include "labs/09_noise_map/variants.hpp"

namespace convolab::noise {

static __global__ void noise_map(std::uint8_t* d_previous, const std::uint8_t* d_current,
                                 int pixels, int run) {
    const int first = threadIdx.x * run;
    const int last = min(first + run, pixels / 16);
    for (int i = first; i < last; ++i) {
        SixteenPixels previous(d_previous + 48 * i);
        const SixteenPixels current(d_current + 48 * i);
        bool marked[3] = {};  // which vectors contain a new mark
#pragma unroll
        for (int p = 0; p < 16; ++p) {
            const bool changed = sample_changed(current[3 * p], previous[3 * p]) ||
                                 sample_changed(current[3 * p + 1], previous[3 * p + 1]) ||
                                 sample_changed(current[3 * p + 2], previous[3 * p + 2]);
            if (changed) previous.set_255(3 * p);
            marked[3 * p / 16] |= changed;
        }
#pragma unroll
        for (int v = 0; v < 3; ++v)
            if (marked[v]) previous.store(d_previous + 48 * i, v);
    }
    for (int i = pixels / 16 * 16 + threadIdx.x; i < pixels; i += blockDim.x) {  // fewer than 16
        const bool changed = pixel_changed(d_previous + 3 * i, d_current + 3 * i);
        if (changed) d_previous[3 * i] = 255;
    }
}

const Variant v3 = frame_pair_variant(
    {.name = "v3",
     .idea = "the previous frame with red marks: stores only if something changed",
     .uses = kUsesBlockThreads,
     .operation = &red_over_previous()},
    [](CudaFramePair& v) {
        v.prepare(noise_map, one_block(v.settings));
        const int run = static_cast<int>(ceil_divide(v.pixels / 16, v.block.x));  // groups of 16
        v.set({.keeps_the_previous_frame = true,
               .writes = Writes::over_the_previous_frame,
               .launch = [&v, run] {
                   noise_map<<<v.grid, v.block>>>(v.d_previous(), v.d_current(), v.pixels, run);
               }});
    });

}  // namespace convolab::noise
