// SPDX-License-Identifier: MIT
// Border rule renormalise: the sum of a pixel whose filter reaches past the image is divided by the
// sum of the taps inside the image. These pixels form a frame of width p. The kernels of the labs
// divide every pixel by the filter's divisor; this kernel runs after theirs and computes the frame
// again. So no kernel of a lab needs a divisor per pixel.
#pragma once

#include <cuda_runtime.h>

#include <cstdint>

#include "common/image/image.hpp"

namespace convolab {

/// An image in device memory: the first sample of pixel (0, 0), and the distances, in samples, from
/// one row, pixel and channel to the next.
struct StridedImage {
    void* d_first;
    std::int64_t row, pixel, channel;
};

struct FrameJob {
    StridedImage in, out;
    PixelType in_type, out_type;
    int width, height, channels, ksize;
    const float* d_taps;
    bool rounds;  ///< the result is rounded and clamped to 0..255, whatever the type of the output
};

/// Throws Error if the launch fails.
void renormalise_frame(const FrameJob& job, cudaStream_t stream = nullptr);

}  // namespace convolab
