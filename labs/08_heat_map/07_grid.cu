// SPDX-License-Identifier: MIT
// grid -- the whole device, coalesced
// Source: new.
// Idea: each warp works on 256 pixels, and the grid has as many blocks as that takes. With one
//     instruction, a warp loads or stores 256 neighbouring bytes. It regroups them in shared memory
//     (common/cuda/warp_pixels.hpp).
// Since v3: it uses all multiprocessors and vectors of 8 bytes. The special function units compute
//     the sines (__sinf, __cosf), which are exact enough here. sin(a - pi/2) is -cos(a), and
//     sin(a + pi/2) is cos(a). The frames are in pinned memory, so that copies run at the full
//     speed of the bus (lab 06).
// Limit: memory bandwidth at 8K. At 4K, a part of the frames stays in the L2 cache. If all of them
//     fit in it, the time until the first loads arrive counts most.
// Alone: build/labs/08_heat_map/lab bench --variant v3,grid --size 1080p
#include "common/cuda/frame_pair.hpp"
#include "common/cuda/warp_pixels.hpp"
#include "labs/08_heat_map/parts/four_colours.hpp"
#include "labs/08_heat_map/variants.hpp"

namespace convolab::heat {

using Vector = uint2;
constexpr int kThreads = 128;  // per block
constexpr int kWarps = kThreads / kWarp;

// A float from 2^23 to 2^24 is a whole number, which stands in its low 23 bits. So additions and
// multiply-adds can convert between floats and integers. Conversion instructions are slower.

/// 255 s, clamped and rounded, in the low byte of a word. The next two bytes are 0.
static __device__ unsigned low_byte(float s) {
    return __float_as_uint(255 * __saturatef(s + static_cast<float>(kAboveTie / 255)) + 0x1p23F);
}

static __device__ unsigned sines(unsigned difference) {
    constexpr float kStep = 3.14159265F / 765;
    const float angle =
        __fmaf_rn(__uint_as_float(0x4B000000U + difference), kStep, -0x1p23F * kStep);
    const float cosine = __cosf(angle);
    const unsigned red_green = __byte_perm(low_byte(-cosine), low_byte(__sinf(angle)), 0x1140);
    return __byte_perm(red_green, low_byte(cosine), 0x3410);
}

static __global__ void heat_map(const std::uint8_t* d_previous, const std::uint8_t* d_current,
                                std::uint8_t* d_out, int pixels) {
    __shared__ Vector s_bytes[kWarps][kWarpVectors];
    const int warp = threadIdx.x / kWarp;
    const int group = blockIdx.x * kWarps + warp;
    const auto colour_of = [](unsigned difference) { return sines(difference); };
    if ((group + 1) * kPixelsOfWarp<Vector> <= pixels)
        return map_pixels(load_vectors<Vector>(d_previous, d_current, group), d_out, group,
                          s_bytes[warp],
                          [&](auto& words) { colour_four_pixels(words, colour_of); });
    for (int i = group * kPixelsOfWarp<Vector> + threadIdx.x % kWarp; i < pixels; i += kWarp)
        colour_one_pixel(d_previous, d_current, d_out, i, colour_of);
}

const Variant grid = frame_pair_variant(
    {.name = "grid", .idea = "the whole device, coalesced", .pinned_frames = true},
    [](CudaFramePair& v) {
        v.prepare(heat_map, {blocks_for(v.pixels, kWarps * kPixelsOfWarp<Vector>), kThreads});
        v.set({.keeps_the_previous_frame = true, .launch = [&v] {
                   heat_map<<<v.grid, v.block>>>(v.d_previous(), v.d_current(), v.d_out(),
                                                 v.pixels);
               }});
    });

}  // namespace convolab::heat
