// SPDX-License-Identifier: MIT
// The last variants mark or count. What they share: the changed pixels and samples of all threads of
// a grid, added up without a second kernel that clears two numbers first.
#pragma once

#include <cuda_runtime.h>

#include <memory>

#include "common/cuda/frame_pair.hpp"

namespace convolab::noise_filter {

struct Changes {
    int pixels = 0, samples = 0;
};

/// For all threads of a grid whose blocks have warps of threadIdx.x 0 to 31. d_sums: pixels,
/// samples, blocks; 0 before the first launch. The last block writes d_counts, and clears d_sums for
/// the next launch.
static __device__ __forceinline__ void add_up(Changes changes, int* d_sums, int* d_counts) {
    __shared__ int s_counts[2];
    const bool first = threadIdx.x == 0 && threadIdx.y == 0;
    if (first) s_counts[0] = s_counts[1] = 0;
    __syncthreads();
    for (int distance = 16; distance > 0; distance /= 2) {
        changes.pixels += __shfl_down_sync(~0U, changes.pixels, distance);
        changes.samples += __shfl_down_sync(~0U, changes.samples, distance);
    }
    if (threadIdx.x == 0) {
        atomicAdd(&s_counts[0], changes.pixels);
        atomicAdd(&s_counts[1], changes.samples);
    }
    __syncthreads();
    if (!first) return;
    atomicAdd(&d_sums[0], s_counts[0]);
    atomicAdd(&d_sums[1], s_counts[1]);
    __threadfence();  // both before the block counts as finished
    const int blocks = static_cast<int>(gridDim.x * gridDim.y);
    if (atomicAdd(&d_sums[2], 1) < blocks - 1) return;
    __threadfence();
    d_counts[0] = atomicExch(&d_sums[0], 0);
    d_counts[1] = atomicExch(&d_sums[1], 0);
    d_sums[2] = 0;
}

/// launch(d_marks, d_sums, d_counts): the first is nullptr where it counts, else the others are.
template <class Launch>
void set_changes(CudaFramePair& v, bool counts, const Launch& launch) {
    if (!counts)
        return v.set({.keeps_the_previous_frame = true,
                      .launch = [&v, launch] { launch(v.d_out(), nullptr, nullptr); }});
    const auto sums = std::make_shared<DeviceBuffer<int>>(3);
    sums->fill(0);
    v.set({.keeps_the_previous_frame = true,
           .output = Image(2, 1, 1, PixelType::int32),
           .launch = [&v, launch, sums] {
               launch(nullptr, sums->data(), reinterpret_cast<int*>(v.d_out()));
           }});
}

}  // namespace convolab::noise_filter
