// SPDX-License-Identifier: MIT
// count -- how much changes, in two numbers
// Source: new; videostream2021's program counts on the CPU (v2.cu: getCountDifference).
// Idea: the share of the pixels and samples that change decides what a difference stream costs.
//     Each thread counts in registers, and its block in shared memory. Each block adds its two
//     counts to the result with atomic additions.
// Since fused: each block adds two numbers to global memory, instead of storing three bytes per
//     pixel.
// Limit: instructions, as in fused.
// Alone: build/labs/10_noise_filter/lab bench --variant fused,count --ksize 3,9 --size 1080p
#include "common/cuda/frame_pair.hpp"
#include "labs/10_noise_filter/parts/operations.hpp"
#include "labs/10_noise_filter/parts/strip.hpp"
#include "labs/10_noise_filter/variants.hpp"

namespace convolab::noise_filter {

/// The same as in fused.
template <class Window, int K, class Visit>
static __device__ void march(const BothFrames& in, const Visit& visit) {
    __shared__ ColumnsOfRow<Window> s_columns[2];
    const int tx = threadIdx.x, x = blockIdx.x * (kStripThreads - (K - 1)) + tx;
    const int top = blockIdx.y * kStripRows;
    const bool has_output = tx < kStripThreads - (K - 1) && x < in.width;
    unsigned last[3][K] = {};  // the words of K rows of this column
    SixSamples next(in, x - K / 2, top - K / 2);
    for (int row = 0; row < kStripRows + K - 1; ++row) {
        push(last, next);
        next = SixSamples(in, x - K / 2, top - K / 2 + row + 1);
        if (row < K - 1) continue;
        auto& s_row = s_columns[row % 2];
        store_column<Window>(s_row, tx, last);
        __syncthreads();
        const int y = top + row - (K - 1);
        if (!has_output || y >= in.height) continue;
        unsigned filtered[3];
#pragma unroll
        for (int w = 0; w < 3; ++w)
            filtered[w] = Window::combine([&](int n, int i) { return s_row[w][n][tx + i]; });
        visit(x, y, samples_changed(filtered));
    }
}

template <class Window, int K>
static __global__ void __launch_bounds__(kStripThreads)
    count_changes(BothFrames in, int* d_counts) {
    __shared__ int s_counts[2];  // pixels, samples
    if (threadIdx.x < 2) s_counts[threadIdx.x] = 0;
    int pixels = 0, samples = 0;
    march<Window, K>(in, [&](int, int, int changed_samples) {
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

const Variant count = frame_pair_variant(
    {.name = "count",
     .idea = "as fused; the number of changed pixels and samples",
     .pinned_frames = true,
     .operation = &counts()},
    [](CudaFramePair& v) {
        with_window<Mean, Gaussian, Median>(v.job, [&v]<class Window, int K>() {
            v.prepare(count_changes<Window, K>, shape_of_strips(v.width, v.height, K));
            v.set({.keeps_the_previous_frame = true,
                   .output = Image(2, 1, 1, PixelType::int32),
                   .launch = [&v] {
                       int* d_counts = reinterpret_cast<int*>(v.d_out());
                       CUDA_CHECK(cudaMemsetAsync(d_counts, 0, 2 * sizeof(int)));
                       count_changes<Window, K><<<v.grid, v.block>>>(
                           {v.d_previous(), v.d_current(), v.width, v.height}, d_counts);
                   }});
        });
    });

}  // namespace convolab::noise_filter
