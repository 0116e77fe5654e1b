// Copyright (c) 2026 The Convolab authors
// SPDX-License-Identifier: MIT
//
// count -- how much changes, in two numbers
// Source: new; the report looks at the marks.
// Idea: the share of pixels and samples that change is what a difference stream costs. A barrier that
//     counts (__syncthreads_count) adds the pixels of a block with one, two, three changed samples or more.
// Since fused: two additions per block to global memory instead of three bytes per pixel.
// Limit: as fused.
// Alone: build/labs/10_noise_filter/lab bench --variant fused,count --ksize 3,9 --size 1080p
#include "common/cuda/frame_pair.hpp"
#include "labs/10_noise_filter/parts/both_frames.hpp"
#include "labs/10_noise_filter/parts/operations.hpp"

namespace convolab::noise_filter {

template <class Window, int K>
static __global__ void count_changes(const std::uint8_t* d_previous, const std::uint8_t* d_current,
                                     int* d_counts, int width, int height) {
    __shared__ BothFrames<Window, K> s_tile;
    const int left = blockIdx.x * kTileWidth, top = blockIdx.y * kTileHeight;
    s_tile.load(d_previous, d_current, left, top, width, height);
    const int x = left + threadIdx.x % kTileWidth, y = top + threadIdx.x / kTileWidth;
    const int changed = changed_samples(s_tile);
    const int samples = x < width && y < height ? changed : 0;

    const int pixels = __syncthreads_count(samples > 0);
    const int two_or_three = __syncthreads_count(samples > 1);
    const int three = __syncthreads_count(samples > 2);
    if (threadIdx.x == 0 && pixels > 0) {
        atomicAdd(d_counts, pixels);
        atomicAdd(d_counts + 1, pixels + two_or_three + three);
    }
}

extern const Variant count = frame_pair_variant(
    {.name = "count",
     .idea = "as fused; the number of changed pixels and samples",
     .operation = &counts()},
    [](CudaFramePair& v) {
        v.keeps_the_previous_frame();
        v.gives(Image(2, 1, 1, PixelType::int32));
        with_window<Mean, Gaussian, Median>(v.job, [&v]<class Window, int K>() {
            v.prepare(count_changes<Window, K>, shape_of_tiles(v.width, v.height));
            v.launches([&v] {
                int* d_counts = reinterpret_cast<int*>(v.d_out());
                CUDA_CHECK(cudaMemsetAsync(d_counts, 0, 2 * sizeof(int)));
                count_changes<Window, K><<<v.grid, v.block>>>(v.d_previous(), v.d_current(),
                                                              d_counts, v.width, v.height);
            });
        });
    });

}  // namespace convolab::noise_filter
