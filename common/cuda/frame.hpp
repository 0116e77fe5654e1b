// Copyright (c) 2026 The Convolab authors
// SPDX-License-Identifier: MIT
//
// Border rule renormalise: the pixels whose filter reaches past the image are divided by the sum of
// the taps inside. They form a frame, p pixels thick. The labs' kernels divide every pixel by the
// filter's divisor; this kernel, launched after theirs, computes the frame again. So no kernel of a
// lab carries a divisor per pixel.
#pragma once

#include <cstdint>

#include "common/image/image.hpp"

namespace convolab {

/// An image in device memory: the sample of pixel (0, 0), and the distances, in samples, from one
/// row, pixel and channel to the next.
struct FrameSide {
    void* d_first;
    std::int64_t row, pixel, channel;
};

struct FrameJob {
    FrameSide in, out;
    PixelType in_type, out_type;
    int width, height, channels, ksize;
    const float* d_taps;
    bool rounds;  ///< the output is a byte's value, whatever its type
};

/// Launches the kernel on the default stream. Throws Error where CUDA refuses the launch.
void renormalise_frame(const FrameJob& job);

}  // namespace convolab
