// SPDX-License-Identifier: MIT
// v1 -- one block, loads of 16 bytes
// Source: videostream2021, 2.0.2.
// Idea: it works like lab 08's v3, with longer loads: 16 pixels are 48 bytes, or three vectors of
//     16 bytes. Every sample of the map is stored, red or black.
// Since cpu: one block computes the map, and each thread has a run of pixels.
// Limit: stores. A pixel needs three stores, and the 32 threads of a warp store to 32 different
//     cache lines.
// Alone: build/labs/09_noise_map/lab bench --variant v1 --block-threads 1024 --size 1080p
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
            d_out[48 * i + 3 * p + 1] = 0;
            d_out[48 * i + 3 * p + 2] = 0;
        }
    }
    for (int i = pixels / 16 * 16 + threadIdx.x; i < pixels; i += blockDim.x) {  // fewer than 16
        const bool changed = pixel_changed(d_previous + 3 * i, d_current + 3 * i);
        d_out[3 * i] = changed ? 255 : 0;
        d_out[3 * i + 1] = 0;
        d_out[3 * i + 2] = 0;
    }
}

const Variant v1 = frame_pair_variant(
    {.name = "v1",
     .idea = "one block; loads of 16 bytes, three stores per pixel",
     .uses = kUsesBlockThreads},
    [](CudaFramePair& v) {
        v.prepare(noise_map, one_block(v.settings));
        const int run = static_cast<int>(ceil_divide(v.pixels / 16, v.block.x));  // groups of 16
        v.set({.keeps_the_previous_frame = true, .launch = [&v, run] {
                   noise_map<<<v.grid, v.block>>>(v.d_previous(), v.d_current(), v.d_out(),
                                                  v.pixels, run);
               }});
    });

}  // namespace convolab::noise
