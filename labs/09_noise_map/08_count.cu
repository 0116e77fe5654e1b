// SPDX-License-Identifier: MIT
// count -- how many pixels and samples changed: a reduction
// Source: new.
// Idea: each thread counts in registers. Shuffles add up the 32 counts of a warp in five steps. The
//     warps of a block are added up in shared memory, and each block adds its two sums to the
//     result with atomic additions.
// Since grid: it stores two numbers instead of a picture.
// Limit: memory bandwidth (6 bytes per pixel), if the frames do not fit in the L2 cache. If they
//     do: clearing the two numbers, the reduction and its barriers.
// Alone: build/labs/09_noise_map/lab bench --variant grid,count --size 1080p
#include <algorithm>

#include "common/cuda/frame_pair.hpp"
#include "common/cuda/warp_pixels.hpp"
#include "labs/09_noise_map/parts/four_changes.hpp"
#include "labs/09_noise_map/parts/operations.hpp"
#include "labs/09_noise_map/variants.hpp"

namespace convolab::noise {

using Vector = uint2;
constexpr int kThreads = 256;  // per block
constexpr int kWarps = kThreads / kWarp;

/// The sum of the block's values. Only thread 0 gets it.
static __device__ int block_sum(int value) {
    __shared__ int s_sums[kWarps];
    for (int distance = kWarp / 2; distance > 0; distance /= 2)
        value += __shfl_down_sync(0xFFFFFFFF, value, distance);
    __syncthreads();  // thread 0 may still read s_sums for the previous call
    if (threadIdx.x % kWarp == 0) s_sums[threadIdx.x / kWarp] = value;
    __syncthreads();
    int sum = 0;
    if (threadIdx.x == 0)
        for (const int warp : s_sums) sum += warp;
    return sum;
}

static __global__ void count_changes(const std::uint8_t* d_previous, const std::uint8_t* d_current,
                                     int* d_counts, int pixels) {
    __shared__ Vector s_bytes[kWarps][kWarpVectors];
    int changed = 0, samples = 0;
    const int groups = pixels / kPixelsOfWarp<Vector>, warp = threadIdx.x / kWarp;
    for (int group = blockIdx.x * kWarps + warp; group < groups; group += gridDim.x * kWarps) {
        auto lane = differences(load_vectors<Vector>(d_previous, d_current, group), s_bytes[warp]);
#pragma unroll
        for (auto& words : lane.fours) {
            compare_samples(words);
            changed += __popc(changed_pixels(words));
            for (const unsigned word : words) samples += __popc(word) / 8;
        }
    }
    for (int i = groups * kPixelsOfWarp<Vector> + blockIdx.x * kThreads + threadIdx.x; i < pixels;
         i += gridDim.x * kThreads) {
        changed += pixel_changed(d_previous + 3 * i, d_current + 3 * i);
        for (int c = 0; c < 3; ++c)
            samples += sample_changed(d_previous[3 * i + c], d_current[3 * i + c]);
    }
    const int block_changed = block_sum(changed), block_samples = block_sum(samples);
    if (threadIdx.x > 0) return;
    atomicAdd(&d_counts[0], block_changed);
    atomicAdd(&d_counts[1], block_samples);
}

const Variant count = frame_pair_variant(
    {.name = "count",
     .idea = "how many pixels and samples changed: a reduction",
     .pinned_frames = true,
     .operation = &count_of_changes()},
    [](CudaFramePair& v) {
        const unsigned all = blocks_for(v.pixels, kWarps * kPixelsOfWarp<Vector>);
        v.prepare(count_changes,
                  {std::min(all, v.resident_blocks(count_changes, kThreads)), kThreads});
        v.set({.keeps_the_previous_frame = true,
               .output = Image(2, 1, 1, PixelType::int32),
               .launch = [&v] {
                   int* d_counts = reinterpret_cast<int*>(v.d_out());
                   CUDA_CHECK(cudaMemsetAsync(d_counts, 0, 2 * sizeof(int), nullptr));
                   count_changes<<<v.grid, v.block>>>(v.d_previous(), v.d_current(), d_counts,
                                                      v.pixels);
               }});
    });

}  // namespace convolab::noise
