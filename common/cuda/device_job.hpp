// Copyright (c) 2026 The Convolab authors
// SPDX-License-Identifier: MIT
//
// What a kernel has to know of a job besides its pixels and taps: sizes, border rule, divisor. It
// is passed by value, so that it lies in the constant memory of the launch and costs no global
// read.
#pragma once

#include <cuda_runtime.h>

#include <cstdint>

#include "common/convolution/border.hpp"
#include "common/convolution/rounding.hpp"
#include "common/image/image.hpp"

/// Before a loop of a kernel: nvcc unrolls it whole, or not at all. `#pragma unroll` itself g++
/// does not know.
#ifdef __CUDACC__
#define UNROLL _Pragma("unroll")
#define ROLLED _Pragma("unroll 1")
#else
#define UNROLL
#define ROLLED
#endif

/// Before a kernel's parameter: references to it need no copy in the thread's own memory. GPUs
/// before compute capability 7.0 make the copy.
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 700
#define GRID_CONSTANT
#else
#define GRID_CONSTANT __grid_constant__
#endif

namespace convolab {

/// Coordinates are int, indices 64 bits wide: a matrix of 2^28 elements of 3 channels has 2^29.6
/// samples, in floats over 2^31 bytes.
struct DeviceJob {
    int width, height;          ///< of the input
    int out_width, out_height;  ///< of the output: K - 1 less with border `valid`
    int channels;
    int ksize;   ///< K
    int radius;  ///< p
    int origin;  ///< input x of tap 0 over output x 0: -p; with border `valid` 0
    BorderRule rule;
    float outside;  ///< the sample where no pixel stands
    float divisor;  ///< the filter's
    const int*
        d_taps_before;  ///< renormalise: (K + 1)^2 sums of the taps above and left; or nullptr

    template <Layout layout = Layout::interleaved>
    __device__ std::int64_t in_index(int x, int y, int c) const {
        return index<layout>(x, y, c, width, height);
    }
    template <Layout layout = Layout::interleaved>
    __device__ std::int64_t out_index(int x, int y, int c) const {
        return index<layout>(x, y, c, out_width, out_height);
    }

    /// Column of the pixel that stands at x, inside or outside the image; -1: none does.
    __device__ int column(int x) const {
        return 0 <= x && x < width ? x : static_cast<int>(source_index(rule, x, width));
    }
    __device__ int row(int y) const {
        return 0 <= y && y < height ? y : static_cast<int>(source_index(rule, y, height));
    }

    /// What the sum of output pixel (x, y) is divided by.
    __device__ float divisor_at(int x, int y) const {
        return d_taps_before == nullptr ? divisor : static_cast<float>(taps_inside(x, y));
    }

  private:
    template <Layout layout>
    __device__ std::int64_t index(int x, int y, int c, std::int64_t columns,
                                  std::int64_t rows) const {
        if constexpr (layout == Layout::interleaved)
            return (y * columns + x) * channels + c;
        else
            return (c * rows + y) * columns + x;
    }
    /// The sum of the taps that fall on pixels: a rectangle of the filter, from four corners.
    __device__ int taps_inside(int x, int y) const {
        const int i0 = x < radius ? radius - x : 0;
        const int j0 = y < radius ? radius - y : 0;
        const int i1 = width - x <= radius ? width - x + radius : ksize;
        const int j1 = height - y <= radius ? height - y + radius : ksize;
        const int n = ksize + 1;
        return d_taps_before[j1 * n + i1] - d_taps_before[j1 * n + i0] -
               d_taps_before[j0 * n + i1] + d_taps_before[j0 * n + i0];
    }
};

/// Sample (x, y, c) of the image as its border continues it: the test that the kernels without a
/// padded copy make for every tap.
template <Layout layout = Layout::interleaved, class T>
__device__ float sample_at(const T* d_in, const DeviceJob& job, int x, int y, int c) {
    const int column = job.column(x);
    const int row = job.row(y);
    if (column < 0 || row < 0) return job.outside;
    return static_cast<float>(d_in[job.in_index<layout>(column, row, c)]);
}

}  // namespace convolab
