// SPDX-License-Identifier: MIT
// v1 -- one block, each thread a run of neighbouring pixels
// Source: videostream2021, 1.2.1.
// Idea: the loop over pixels is cut into as many equal runs as the block has threads. For each new
//     frame of a video, both frames are copied to the device.
// Since cpu: each thread has its own run, and the sines are in single precision.
// Limit: the port of one L1 cache to the L2 cache, on one of an H200's 132 multiprocessors. The 32
//     threads of a warp read 32 places that are a run apart, so the loads are not coalesced.
// Alone: build/labs/08_heat_map/lab bench --variant v1 --block-threads 1024 --size 1080p
#include "common/cuda/frame_pair.hpp"
#include "labs/08_heat_map/parts/colours.hpp"
#include "labs/08_heat_map/variants.hpp"

namespace convolab::heat {

static __global__ void heat_map(const std::uint8_t* d_previous, const std::uint8_t* d_current,
                                std::uint8_t* d_out, int pixels, int run) {
    const int first = threadIdx.x * run;
    const int last = min(first + run, pixels);
    for (int i = 3 * first; i < 3 * last; i += 3)
        put(d_out + i, colour_of<float>(difference(d_current + i, d_previous + i)));
}

const Variant v1 = frame_pair_variant(
    {.name = "v1",
     .idea = "one block, a run of neighbouring pixels per thread",
     .uses = kUsesBlockThreads},
    [](CudaFramePair& v) {
        v.prepare(heat_map, one_block(v.settings));
        const int run = static_cast<int>(ceil_divide(v.pixels, v.block.x));  // rounded up
        v.set({.launch = [&v, run] {
            heat_map<<<v.grid, v.block>>>(v.d_previous(), v.d_current(), v.d_out(), v.pixels, run);
        }});
    });

}  // namespace convolab::heat
