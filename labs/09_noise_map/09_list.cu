// SPDX-License-Identifier: MIT
// list -- the numbers of the changed pixels, in order: a scan
// Source: videostream2021's program, server/src/kernels.cu: kernel2. Its list is not in order.
// Idea: the place of a change in the list is the number of changes before it. A scan (prefix sum)
//     finds all these numbers. There are three kernels. First, each warp counts the changes among
//     its 512 pixels. Then one block scans the counts. Finally, each warp compares its pixels again
//     and writes the numbers of those that changed, each lane behind the lanes before it.
// Since count: it needs the sum up to each place instead of one sum.
// Limit: the frames are read twice, 12 bytes per pixel. In between, one block scans, and all other
//     multiprocessors wait.
// Alone: build/labs/09_noise_map/lab bench --variant count,list --size 1080p
#include <algorithm>

#include "common/cuda/frame_pair.hpp"
#include "common/cuda/warp_pixels.hpp"
#include "labs/09_noise_map/parts/four_changes.hpp"
#include "labs/09_noise_map/parts/operations.hpp"
#include "labs/09_noise_map/variants.hpp"

namespace convolab::noise {

using Vector = uint4;          // 512 pixels per warp: half as many sums to scan as with uint2
constexpr int kThreads = 256;  // per block
constexpr int kWarps = kThreads / kWarp;
constexpr int kScanThreads = 1024;

/// Bit p: pixel p of this lane's 16 pixels changed. The last group may have fewer than 512 pixels.
static __device__ unsigned changes_of_lane(const std::uint8_t* d_previous,
                                           const std::uint8_t* d_current, int pixels, int group,
                                           Vector* s_bytes) {
    unsigned changes = 0;
    if ((group + 1) * kPixelsOfWarp<Vector> <= pixels) {
        auto lane = differences(load_vectors<Vector>(d_previous, d_current, group), s_bytes);
#pragma unroll
        for (int i = 0; i < kPixelsOfLane<Vector> / 4; ++i) {
            compare_samples(lane.fours[i]);
            changes |= changed_pixels(lane.fours[i]) << 4 * i;
        }
        return changes;
    }
    const int first = group * kPixelsOfWarp<Vector> + kPixelsOfLane<Vector> * (threadIdx.x % kWarp);
    for (int p = 0; p < kPixelsOfLane<Vector> && first + p < pixels; ++p)
        if (pixel_changed(d_previous + 3 * (first + p), d_current + 3 * (first + p)))
            changes |= 1U << p;
    return changes;
}

/// The sum of the values of all lanes up to this one.
static __device__ int warp_scan(int value) {
    for (int distance = 1; distance < kWarp; distance *= 2) {
        const int before = __shfl_up_sync(0xFFFFFFFF, value, distance);
        if (static_cast<int>(threadIdx.x % kWarp) >= distance) value += before;
    }
    return value;
}

static __global__ void count_groups(const std::uint8_t* d_previous, const std::uint8_t* d_current,
                                    int* d_ends, int pixels, int groups) {
    __shared__ Vector s_bytes[kWarps][kWarpVectors];
    const int warp = threadIdx.x / kWarp, group = blockIdx.x * kWarps + warp;
    if (group >= groups) return;
    const int mine = __popc(changes_of_lane(d_previous, d_current, pixels, group, s_bytes[warp]));
    const int sum = warp_scan(mine);
    if (threadIdx.x % kWarp == kWarp - 1) d_ends[group] = sum;
}

/// For one block: each count becomes the sum of all counts up to it, 1024 in a round.
static __global__ void scan_groups(int* d_ends, int groups) {
    __shared__ int s_warps[kWarp];
    const int warp = threadIdx.x / kWarp, lane = threadIdx.x % kWarp;
    int before = 0;  // the sum of all previous rounds
    for (int first = 0; first < groups; first += kScanThreads) {
        const int i = first + threadIdx.x;
        int sum = warp_scan(i < groups ? d_ends[i] : 0);
        if (lane == kWarp - 1) s_warps[warp] = sum;
        __syncthreads();
        if (warp == 0) s_warps[lane] = warp_scan(s_warps[lane]);
        __syncthreads();
        if (warp > 0) sum += s_warps[warp - 1];
        if (i < groups) d_ends[i] = before + sum;
        before += s_warps[kWarp - 1];
        __syncthreads();  // before the next round writes s_warps
    }
}

static __global__ void write_numbers(const std::uint8_t* d_previous, const std::uint8_t* d_current,
                                     const int* d_ends, int* d_list, int pixels, int groups) {
    __shared__ Vector s_bytes[kWarps][kWarpVectors];
    const int warp = threadIdx.x / kWarp, group = blockIdx.x * kWarps + warp;
    if (group >= groups) return;
    unsigned changes = changes_of_lane(d_previous, d_current, pixels, group, s_bytes[warp]);
    const int mine = __popc(changes);
    int at = (group > 0 ? d_ends[group - 1] : 0) + warp_scan(mine) - mine;
    const int first = group * kPixelsOfWarp<Vector> + kPixelsOfLane<Vector> * (threadIdx.x % kWarp);
    for (; changes != 0; changes &= changes - 1)  // from the lowest bit on
        d_list[at++] = first + __ffs(static_cast<int>(changes)) - 1;
}

const Variant list = frame_pair_variant(
    {.name = "list",
     .idea = "the numbers of the changed pixels, in order: a scan",
     .pinned_frames = true,
     .operation = &list_of_changes(),
     .awkward = {{"random:1025x513:13"}}},  // over 1024 groups: the scan takes two rounds
    [](CudaFramePair& v) {
        const auto groups = static_cast<int>(ceil_divide(v.pixels, kPixelsOfWarp<Vector>));
        const auto ends = std::make_shared<DeviceBuffer<int>>(groups);
        v.prepare(write_numbers, {dim3(blocks_for(groups, kWarps)), dim3(kThreads)});
        const auto length = std::make_shared<int>(0);
        v.set({.keeps_the_previous_frame = true,
               .output = Image(v.pixels, 1, 1, PixelType::int32),
               .launch =
                   [&v, groups, ends] {
                       int* d_list = reinterpret_cast<int*>(v.d_out());
                       count_groups<<<v.grid, v.block>>>(v.d_previous(), v.d_current(),
                                                         ends->data(), v.pixels, groups);
                       scan_groups<<<1, kScanThreads>>>(ends->data(), groups);
                       write_numbers<<<v.grid, v.block>>>(v.d_previous(), v.d_current(),
                                                          ends->data(), d_list, v.pixels, groups);
                   },
               .download =
                   [&v, groups, ends, length](Image& out) {  // the list, not what lies behind it
                       CUDA_CHECK(cudaMemcpy(length.get(), ends->data() + groups - 1, sizeof(int),
                                             cudaMemcpyDeviceToHost));
                       if (*length == 0) return;
                       CUDA_CHECK(cudaMemcpy(out.data<int>(), v.d_out(), *length * sizeof(int),
                                             cudaMemcpyDeviceToHost));
                   },
               .postprocess =
                   [length](Image& out) {  // the reference picture contains -1 behind the list
                       std::fill(out.data<int>() + *length, out.data<int>() + out.samples(), -1);
                   }});
    });

}  // namespace convolab::noise
