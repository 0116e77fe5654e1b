// SPDX-License-Identifier: MIT
// 16 pixels, or 48 bytes, in registers. They are loaded and stored as three vectors of 16 bytes.
#pragma once

#include <cstdint>

#include "common/noise_map/change.hpp"

namespace convolab::noise {

class SixteenPixels {
  public:
    /// d_first: an address that is a multiple of 16 bytes.
    __device__ explicit SixteenPixels(const std::uint8_t* d_first) {
#pragma unroll
        for (int v = 0; v < 3; ++v) {
            const uint4 vector = reinterpret_cast<const uint4*>(d_first)[v];
            words_[4 * v] = vector.x, words_[4 * v + 1] = vector.y;
            words_[4 * v + 2] = vector.z, words_[4 * v + 3] = vector.w;
        }
    }
    /// Sample number i. If the loop is unrolled, the compiler knows i.
    __device__ int operator[](int i) const {
        return static_cast<int>(words_[i / 4] >> 8 * (i % 4) & 255);
    }
    /// Sets sample number i to 255.
    __device__ void set_255(int i) { words_[i / 4] |= 255U << 8 * (i % 4); }

    /// Stores vector v of the three. d_first: the same address as for the constructor.
    __device__ void store(std::uint8_t* d_first, int v) const {
        reinterpret_cast<uint4*>(d_first)[v] =
            make_uint4(words_[4 * v], words_[4 * v + 1], words_[4 * v + 2], words_[4 * v + 3]);
    }

  private:
    unsigned words_[12];
};

}  // namespace convolab::noise
