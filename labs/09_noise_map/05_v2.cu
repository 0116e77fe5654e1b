// SPDX-License-Identifier: MIT
// v2 -- only the red sample is written
// Source: videostream2021, 2.0.3.
// Idea: green and blue are always 0. So the output is cleared once, when it is allocated.
// Since v1: it stores once per pixel instead of three times. `make sass` counts them: 48 and 16 for
//     16 pixels.
// Limit: stores, each to another cache line, as in v1.
// Alone: build/labs/09_noise_map/lab bench --variant v1,v2 --block-threads 1024 --size 1080p
#include "common/cuda/frame_pair.hpp"
#include "labs/09_noise_map/parts/sixteen_pixels.hpp"
#include "labs/09_noise_map/variants.hpp"

namespace convolab::noise {

static __global__ void noise_map(const std::uint8_t* d_previous, const std::uint8_t* d_current,
                                 std::uint8_t* d_out, int pixels, int run) {
    const int first = threadIdx.x * run;
    const int last = min(first + run, pixels / 16);
    for (int i = first; i < last; ++i) {
        const SixteenPixels previous(d_previous + 48 * i), current(d_current + 48 * i);
#pragma unroll
        for (int p = 0; p < 16; ++p) {
            const bool changed = sample_changed(current[3 * p], previous[3 * p]) ||
                                 sample_changed(current[3 * p + 1], previous[3 * p + 1]) ||
                                 sample_changed(current[3 * p + 2], previous[3 * p + 2]);
            d_out[48 * i + 3 * p] = changed ? 255 : 0;
        }
    }
    for (int i = pixels / 16 * 16 + threadIdx.x; i < pixels; i += blockDim.x) {  // fewer than 16
        const bool changed = pixel_changed(d_previous + 3 * i, d_current + 3 * i);
        d_out[3 * i] = changed ? 255 : 0;
    }
}

const Variant v2 = frame_pair_variant(
    {.name = "v2", .idea = "as v1; only the red sample is written", .uses = kUsesBlockThreads},
    [](CudaFramePair& v) {
        v.prepare(noise_map, one_block(v.settings));
        const int run = static_cast<int>(ceil_divide(v.pixels / 16, v.block.x));  // groups of 16
        v.set({.keeps_the_previous_frame = true, .writes = Writes::only_reds, .launch = [&v, run] {
                   noise_map<<<v.grid, v.block>>>(v.d_previous(), v.d_current(), v.d_out(),
                                                  v.pixels, run);
               }});
    });

}  // namespace convolab::noise
