// SPDX-License-Identifier: MIT
// What a kernel needs to know about an image besides its samples: sizes, border, filter size,
// divisor. It is passed by value, so it is in the constant memory of the launch.
//
// There are two kinds: View, for kernels that test every tap against the border, and PaddedView,
// for kernels that read a copy of the image with p pixels of border on each side and test nothing.
#pragma once

#include <cuda_runtime.h>

#include <cstdint>

#include "common/convolution/border.hpp"
#include "common/cuda/divisor.hpp"
#include "common/image/image.hpp"

namespace convolab {

// A border says which pixel of an axis of n pixels is at coordinate i, inside the image or outside.
// find() replaces i by that pixel's coordinate, and returns false if there is no pixel.

/// Rules constant, valid and renormalise: there is no pixel outside.
struct NothingOutside {
    __device__ bool find(int& i, int n) const {
        return static_cast<unsigned>(i) < static_cast<unsigned>(n);
    }
};

/// Rule replicate: the nearest pixel.
struct NearestOutside {
    __device__ bool find(int& i, int n) const {
        i = max(0, min(i, n - 1));
        return true;
    }
};

/// Any rule, chosen by a switch when the kernel runs.
struct AnyBorder {
    BorderRule rule;
    __device__ bool find(int& i, int n) const {
        if (0 <= i && i < n) return true;
        i = static_cast<int>(source_index(rule, i, n));
        return i >= 0;
    }
};

/// What both kinds contain.
struct Geometry {
    int width, height;          ///< of the input
    int out_width, out_height;  ///< of the output: K - 1 less with border `valid`
    int ksize;                  ///< K
    int radius;                 ///< p
    int origin;                 ///< input x of tap 0 over output x 0: -p; with border `valid` 0
    float outside;              ///< the sample where there is no pixel
    Divisor divisor;
};

/// C: channels. Index: int, or std::int64_t for images of 2^31 samples and more.
template <int C, class Border, class Index>
struct View : Geometry {
    static constexpr int channels = C;
    Border border;

    /// Index of an input sample and of an output sample, interleaved.
    __device__ Index in(int x, int y, int c) const {
        return (static_cast<Index>(y) * width + x) * channels + c;
    }
    __device__ Index out(int x, int y, int c) const {
        return (static_cast<Index>(y) * out_width + x) * channels + c;
    }

    /// Sample (x, y, c), inside the image or outside: the test per tap.
    template <class T>
    __device__ float sample(const T* d_in, int x, int y, int c) const {
        if (!border.find(y, height) || !border.find(x, width)) return outside;
        return static_cast<float>(d_in[in(x, y, c)]);
    }
};

/// The padded image is 2p pixels wider and higher than the output.
template <int C>
struct PaddedView {
    static constexpr int channels = C;
    int width, height;                ///< of the output
    int padded_width, padded_height;  ///< of the input
    int ksize;                        ///< K
    int radius;                       ///< p
    Divisor divisor;

    /// Index of a sample of the padded image and of the output, interleaved.
    __device__ std::int64_t in(int x, int y, int c) const {
        return (static_cast<std::int64_t>(y) * padded_width + x) * channels + c;
    }
    __device__ std::int64_t out(int x, int y, int c) const {
        return (static_cast<std::int64_t>(y) * width + x) * channels + c;
    }
    /// The same, planar.
    __device__ std::int64_t in_plane(int x, int y, int c) const {
        return (static_cast<std::int64_t>(c) * padded_height + y) * padded_width + x;
    }
    __device__ std::int64_t out_plane(int x, int y, int c) const {
        return (static_cast<std::int64_t>(c) * height + y) * width + x;
    }
};

}  // namespace convolab
