// SPDX-License-Identifier: MIT
// table -- the 766 colours in shared memory
// Source: new.
// Idea: the CPU computes the colours once, in double precision. Each block copies them to its
//     shared memory (3 KiB) while the loads of its pixels are on their way. Constant memory would
//     serve the 32 look-ups of a warp one after another, because their places differ.
// Since grid: it computes no sines.
// Limit: memory bandwidth at 8K. At 4K, a part of the frames stays in the L2 cache. If all of them
//     fit in it, the time until the first loads arrive counts most.
// Alone: build/labs/08_heat_map/lab bench --variant grid,table --size 1080p
#include "common/cuda/frame_pair.hpp"
#include "common/cuda/warp_pixels.hpp"
#include "labs/08_heat_map/parts/four_colours.hpp"
#include "labs/08_heat_map/variants.hpp"

namespace convolab::heat {

using Vector = uint2;
constexpr int kThreads = 512;  // per block; with fewer threads, more blocks would copy the table
constexpr int kWarps = kThreads / kWarp;
static __device__ std::uint32_t d_colours[kDifferences];

static __global__ void heat_map(const std::uint8_t* d_previous, const std::uint8_t* d_current,
                                std::uint8_t* d_out, int pixels) {
    __shared__ std::uint32_t s_colours[kDifferences];
    __shared__ Vector s_bytes[kWarps][kWarpVectors];
    const int warp = threadIdx.x / kWarp;
    const int group = blockIdx.x * kWarps + warp;
    const bool whole = (group + 1) * kPixelsOfWarp<Vector> <= pixels;
    LaneVectors<Vector> vectors;
    if (whole) vectors = load_vectors<Vector>(d_previous, d_current, group);
#pragma unroll
    for (int first = 0; first < kDifferences; first += kThreads) {
        const int i = first + threadIdx.x;
        if (i < kDifferences) s_colours[i] = d_colours[i];
    }
    __syncthreads();
    const auto look_up = [](unsigned difference) { return s_colours[difference]; };
    if (whole)
        return map_pixels(vectors, d_out, group, s_bytes[warp],
                          [&](auto& words) { colour_four_pixels(words, look_up); });
    for (int i = group * kPixelsOfWarp<Vector> + threadIdx.x % kWarp; i < pixels; i += kWarp)
        colour_one_pixel(d_previous, d_current, d_out, i, look_up);
}

const Variant table = frame_pair_variant(
    {.name = "table", .idea = "as grid; the 766 colours in shared memory", .pinned_frames = true},
    [](CudaFramePair& v) {
        std::uint32_t words[kDifferences];
        for (int d = 0; d < kDifferences; ++d) words[d] = to_word(colour_of<double>(d));
        CUDA_CHECK(cudaMemcpyToSymbol(d_colours, words, sizeof words));
        v.prepare(heat_map, {blocks_for(v.pixels, kWarps * kPixelsOfWarp<Vector>), kThreads});
        v.set({.keeps_the_previous_frame = true, .launch = [&v] {
                   heat_map<<<v.grid, v.block>>>(v.d_previous(), v.d_current(), v.d_out(),
                                                 v.pixels);
               }});
    });

}  // namespace convolab::heat
