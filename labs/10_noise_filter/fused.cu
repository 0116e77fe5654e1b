// Copyright (c) 2026 The Convolab authors
// SPDX-License-Identifier: MIT
//
// fused -- both frames filtered and compared by one kernel
// Source: new.
// Idea: the filtered frames never go to memory: a thread has its pixel of both and writes the mark. The
//     six samples of the two pixels are three full words (parts/both_frames.hpp).
// Since columns: the comparison in the same kernel; no empty half of a word; every thread computes a pixel,
//     whatever K is, and loads more than one for the halo.
// Limit: loads from shared memory, 2K per word; for the median, comparisons.
// Alone: build/labs/10_noise_filter/lab bench --variant fused --ksize 3,5,7,9 --size 1080p
#include "common/cuda/frame_pair.hpp"
#include "labs/10_noise_filter/parts/both_frames.hpp"

namespace convolab::noise_filter {

template <class Window, int K>
static __global__ void mark_changes(const std::uint8_t* d_previous, const std::uint8_t* d_current,
                                    std::uint8_t* d_out, int width, int height) {
    __shared__ BothFrames<Window, K> s_tile;
    const int left = blockIdx.x * kTileWidth, top = blockIdx.y * kTileHeight;
    s_tile.load(d_previous, d_current, left, top, width, height);
    const unsigned red = changed_samples(s_tile) > 0 ? 255 : 0;

    const int x = left + threadIdx.x % kTileWidth, y = top + threadIdx.x / kTileWidth;
    if (x < width && y < height) store_pixel(d_out, y * width + x, red, 0);
}

extern const Variant fused = frame_pair_variant(
    {.name = "fused", .idea = "both frames filtered and compared by one kernel"},
    [](CudaFramePair& v) {
        v.keeps_the_previous_frame();
        with_window<Mean, Gaussian, Median>(v.job, [&v]<class Window, int K>() {
            v.prepare(mark_changes<Window, K>, shape_of_tiles(v.width, v.height));
            v.launches([&v] {
                mark_changes<Window, K><<<v.grid, v.block>>>(v.d_previous(), v.d_current(),
                                                             v.d_out(), v.width, v.height);
            });
        });
    });

}  // namespace convolab::noise_filter
