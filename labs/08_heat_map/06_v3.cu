// SPDX-License-Identifier: MIT
// v3 -- reads of four bytes
// Source: videostream2021, 1.2.3.
// Idea: four pixels are twelve bytes, which are three words. A thread's run consists of groups of
//     four pixels, and a group needs three loads of each frame instead of twelve.
// Since v2: it loads words. (In the report, a run consists of words, which cut pixels in two.)
// Limit: the port of one L1 cache to the L2 cache. The stores are still single bytes, a run apart.
// Alone: build/labs/08_heat_map/lab bench --variant v2,v3 --block-threads 1024 --size 1080p
#include "common/cuda/frame_pair.hpp"
#include "labs/08_heat_map/parts/colours.hpp"
#include "labs/08_heat_map/variants.hpp"

namespace convolab::heat {

static __global__ void heat_map(const std::uint8_t* d_previous, const std::uint8_t* d_current,
                                std::uint8_t* d_out, int pixels, int run) {
    const int first = threadIdx.x * run;
    const int last = min(first + run, pixels / 4);
    for (int i = first; i < last; ++i) {
        std::uint32_t previous[3], current[3];
        for (int w = 0; w < 3; ++w) {
            previous[w] = reinterpret_cast<const std::uint32_t*>(d_previous)[3 * i + w];
            current[w] = reinterpret_cast<const std::uint32_t*>(d_current)[3 * i + w];
        }
        for (int p = 0; p < 4; ++p) {
            int difference = 0;
            for (int byte = 3 * p; byte < 3 * p + 3; ++byte) {
                const int shift = 8 * (byte % 4);
                difference += abs(static_cast<int>(current[byte / 4] >> shift & 255) -
                                  static_cast<int>(previous[byte / 4] >> shift & 255));
            }
            put(d_out + 12 * i + 3 * p, colour_of<float>(difference));
        }
    }
    for (int i = pixels / 4 * 4 + threadIdx.x; i < pixels; i += blockDim.x)  // at most three
        put(d_out + 3 * i, colour_of<float>(difference(d_current + 3 * i, d_previous + 3 * i)));
}

const Variant v3 = frame_pair_variant(
    {.name = "v3", .idea = "as v2; reads of four bytes", .uses = kUsesBlockThreads},
    [](CudaFramePair& v) {
        v.prepare(heat_map, one_block(v.settings));
        const int run = static_cast<int>(ceil_divide(v.pixels / 4, v.block.x));  // groups of 4
        v.set({.keeps_the_previous_frame = true, .launch = [&v, run] {
                   heat_map<<<v.grid, v.block>>>(v.d_previous(), v.d_current(), v.d_out(), v.pixels,
                                                 run);
               }});
    });

}  // namespace convolab::heat
