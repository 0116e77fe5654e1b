// Copyright (c) 2026 The Convolab authors
// SPDX-License-Identifier: MIT
//
// count -- how much changes, in two numbers
// Source: new; videostream2021's program counts on the CPU (v2.cu: getCountDifference).
// Idea: the share of pixels and samples that change is what a difference stream costs. Each thread counts in
//     registers, the block in shared memory, the grid by two atomic additions per block.
// Since fused: two additions per block to global memory instead of three bytes per pixel.
// Limit: as fused.
// Alone: build/labs/10_noise_filter/lab bench --variant fused,count --ksize 3,9 --size 1080p
#include "common/cuda/frame_pair.hpp"
#include "labs/10_noise_filter/parts/operations.hpp"
#include "labs/10_noise_filter/parts/strip.hpp"

namespace convolab::noise_filter {

template <class Window, int K>
static __global__ void __launch_bounds__(kStripThreads)
    count_changes(BothFrames in, int* d_counts) {
    __shared__ int s_counts[2];  // pixels, samples
    if (threadIdx.x < 2) s_counts[threadIdx.x] = 0;
    int pixels = 0, samples = 0;
    go_down<Window, K>(in, [&](int, int, int changed_samples) {
        pixels += changed_samples > 0;
        samples += changed_samples;
    });
    __syncthreads();
    if (pixels > 0) {
        atomicAdd(&s_counts[0], pixels);
        atomicAdd(&s_counts[1], samples);
    }
    __syncthreads();
    if (threadIdx.x < 2 && s_counts[0] > 0)
        atomicAdd(d_counts + threadIdx.x, s_counts[threadIdx.x]);
}

extern const Variant count = frame_pair_variant(
    {.name = "count",
     .idea = "as fused; the number of changed pixels and samples",
     .pinned_frames = true,
     .operation = &counts()},
    [](CudaFramePair& v) {
        v.keeps_the_previous_frame();
        v.gives(Image(2, 1, 1, PixelType::int32));
        with_window<Mean, Gaussian, Median>(v.job, [&v]<class Window, int K>() {
            v.prepare(count_changes<Window, K>, shape_of_strips(v.width, v.height, K));
            v.launches([&v] {
                int* d_counts = reinterpret_cast<int*>(v.d_out());
                CUDA_CHECK(cudaMemsetAsync(d_counts, 0, 2 * sizeof(int)));
                count_changes<Window, K><<<v.grid, v.block>>>(
                    {v.d_previous(), v.d_current(), v.width, v.height}, d_counts);
            });
        });
    });

}  // namespace convolab::noise_filter
