// SPDX-License-Identifier: MIT
// Which of four pixels changed. Three words contain the differences of their samples.
#pragma once

#include "common/noise_map/change.hpp"

namespace convolab::noise {

/// Each difference becomes 255 if it exceeds the threshold, and 0 otherwise.
__device__ inline void compare_samples(unsigned (&w)[3]) {
    for (unsigned& word : w) word = __vcmpgtu4(word, 0x01010101U * kThreshold);
}

/// Bit p: pixel p changed. w: the words after compare_samples().
__device__ inline unsigned changed_pixels(const unsigned (&w)[3]) {
    const bool p0 = w[0] << 8 != 0, p1 = (w[0] >> 24 | w[1] << 16) != 0;
    const bool p2 = (w[1] >> 16 | w[2] << 24) != 0, p3 = w[2] >> 8 != 0;
    return p0 | p1 << 1 | p2 << 2 | p3 << 3;
}

}  // namespace convolab::noise
