// SPDX-License-Identifier: MIT
// grid -- the whole device, coalesced
// Source: new.
// Idea: each warp works on 256 pixels. With one instruction, it loads or stores 256 neighbouring
//     bytes (common/cuda/warp_pixels.hpp), and a lane compares four samples.
// Since v2: it uses all multiprocessors, and stores all bytes of the map. The frames are in pinned
//     memory (lab 06).
// Limit: memory bandwidth at 8K. At 4K, a part of the frames stays in the L2 cache. If all of them
//     fit in it, the time until the first loads arrive counts most.
// Alone: build/labs/09_noise_map/lab bench --variant v2,grid --size 1080p
#include "common/cuda/frame_pair.hpp"
#include "common/cuda/warp_pixels.hpp"
#include "labs/09_noise_map/parts/four_changes.hpp"
#include "labs/09_noise_map/variants.hpp"

namespace convolab::noise {

using Vector = uint2;
constexpr int kThreads = 256;  // per block
constexpr int kWarps = kThreads / kWarp;

static __device__ void mark_four_pixels(unsigned (&w)[3]) {
    compare_samples(w);
    const unsigned changed = changed_pixels(w);
    w[0] = (changed & 1 ? 0x000000FFU : 0) | (changed & 2 ? 0xFF000000U : 0);
    w[1] = changed & 4 ? 0x00FF0000U : 0;
    w[2] = changed & 8 ? 0x0000FF00U : 0;
}

static __global__ void noise_map(const std::uint8_t* d_previous, const std::uint8_t* d_current,
                                 std::uint8_t* d_out, int pixels) {
    __shared__ Vector s_bytes[kWarps][kWarpVectors];
    const int warp = threadIdx.x / kWarp;
    const int group = blockIdx.x * kWarps + warp;
    if ((group + 1) * kPixelsOfWarp<Vector> <= pixels)
        return map_pixels(load_vectors<Vector>(d_previous, d_current, group), d_out, group,
                          s_bytes[warp], [](auto& words) { mark_four_pixels(words); });
    for (int i = group * kPixelsOfWarp<Vector> + threadIdx.x % kWarp; i < pixels; i += kWarp) {
        d_out[3 * i] = pixel_changed(d_previous + 3 * i, d_current + 3 * i) ? 255 : 0;
        d_out[3 * i + 1] = d_out[3 * i + 2] = 0;
    }
}

const Variant grid = frame_pair_variant(
    {.name = "grid", .idea = "the whole device, coalesced", .pinned_frames = true},
    [](CudaFramePair& v) {
        v.prepare(noise_map, {blocks_for(v.pixels, kWarps * kPixelsOfWarp<Vector>), kThreads});
        v.set({.keeps_the_previous_frame = true, .launch = [&v] {
                   noise_map<<<v.grid, v.block>>>(v.d_previous(), v.d_current(), v.d_out(),
                                                  v.pixels);
               }});
    });

}  // namespace convolab::noise
