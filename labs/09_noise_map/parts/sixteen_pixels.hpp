// Copyright (c) 2026 The Convolab authors
// SPDX-License-Identifier: MIT
//
// 48 bytes in registers: 16 pixels, loaded as three vectors of 16 bytes.
#pragma once

#include <cstdint>

#include "labs/09_noise_map/parts/change.hpp"

namespace convolab::noise {

class SixteenPixels {
  public:
    /// d_first: a multiple of 16 bytes.
    __device__ explicit SixteenPixels(const std::uint8_t* d_first) {
        for (int i = 0; i < 3; ++i) vectors_[i] = reinterpret_cast<const uint4*>(d_first)[i];
    }
    /// Sample number i; i is known to the compiler where the loop is unrolled.
    __device__ int operator[](int i) const {
        const uint4& v = vectors_[i / 16];
        const unsigned word = i / 4 % 4 == 0   ? v.x
                              : i / 4 % 4 == 1 ? v.y
                              : i / 4 % 4 == 2 ? v.z
                                               : v.w;
        return static_cast<int>(word >> 8 * (i % 4) & 255);
    }

  private:
    uint4 vectors_[3];
};

}  // namespace convolab::noise
