// SPDX-License-Identifier: MIT
// A sum divided, rounded and clamped to a byte in two instructions, exactly. A sum begins as the
// bits of the float 2^23, plus half the divisor. Floats from 2^23 to 2^24 are the integers, so
// adding to the bits adds to the float: at the end it is 2^23 + n, and nothing is converted.
//
//     f = saturate((2^23 + n) x factor - 2^23 x factor)    n / (255 divisor), clamped to 0 .. 1
//     b = round_down(f x 255 + 2^23)                       low byte: n / divisor, rounded down
//
// A negative n gives a float below 2^23, so f is 0. The first line has one rounding. The host looks
// for a factor near 1 / (255 divisor) with which no byte is wrong: b never decreases when n grows,
// so it is right everywhere if it is right on both sides of each of its 255 steps.
#pragma once

#include <cuda_runtime.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <string>

#include "common/base/error.hpp"

namespace convolab {

inline constexpr float kTwo23 = 8388608;

struct FloatDivision {
    float factor, offset;  ///< offset: -2^23 x factor
    int start;             ///< of a sum

    /// The byte is the lowest of the result.
    __device__ __forceinline__ unsigned byte(int sum) const {
#ifdef CUDA_ON_CPU
        const float f = std::fma(std::bit_cast<float>(sum), factor, offset);
        return static_cast<unsigned>(255.0 * std::clamp(f, 0.0F, 1.0F));
#else
        float f;
        asm("fma.rn.sat.f32 %0, %1, %2, %3;"
            : "=f"(f)
            : "f"(__int_as_float(sum)), "f"(factor), "f"(offset));
        return __float_as_uint(__fmaf_rd(f, 255.0F, kTwo23));
#endif
    }

    /// Of x, z, y and w, in one word.
    __device__ __forceinline__ unsigned four_bytes(const int4& sums) const {
        const unsigned even = __byte_perm(byte(sums.x), byte(sums.z), 0x0040);
        const unsigned odd = __byte_perm(byte(sums.y), byte(sums.w), 0x0040);
        return __byte_perm(even, odd, 0x5410);
    }
};

/// n / divisor as the kernel computes it: the product is exact in a double.
inline int divided(std::int32_t n, float factor) {
    const auto f = static_cast<float>(static_cast<double>(n) * static_cast<double>(factor));
    return static_cast<int>(255.0 * static_cast<double>(std::clamp(f, 0.0F, 1.0F)));
}

/// Throws Unsupported where no factor is exact.
inline FloatDivision float_division(std::int32_t divisor, std::int32_t largest_sum) {
    const std::int32_t largest = largest_sum + divisor / 2;
    const auto is_exact = [&](float factor) {
        for (std::int32_t byte = 1; byte <= 255 && byte * divisor <= largest; ++byte)
            if (divided(byte * divisor - 1, factor) != byte - 1 ||
                divided(byte * divisor, factor) != byte)
                return false;
        return true;
    };
    auto factor = static_cast<float>(1.0 / (255.0 * divisor));
    for (int tries = 0; tries < 64; ++tries, factor = std::nextafter(factor, 1.0F))
        if (is_exact(factor) && largest < static_cast<std::int32_t>(kTwo23))
            return {factor, -kTwo23 * factor, std::bit_cast<std::int32_t>(kTwo23) + divisor / 2};
    throw Unsupported("No two floating-point instructions divide the sums of this filter by " +
                      std::to_string(divisor) + " exactly.");
}

}  // namespace convolab
