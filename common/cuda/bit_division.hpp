// SPDX-License-Identifier: MIT
// Divides a sum, rounds it and clamps it at 0 in one instruction, exactly. A whole number n below
// 2^23, read as the bits of a float, is the denormal float n x 2^-149. From 2^23 to 2^24 floats have
// the same distance, so this is true there, too. The product of this float with another is rounded
// to a multiple of 2^-149, so its bits are a whole number again: n / divisor, rounded to nearest.
// For example, 596 is the float 596 x 2^-149; times 1 / 25 it is 23.84 x 2^-149, which is rounded to
// 24 x 2^-149, the bits of 24.
//
// If needed, the float is slightly larger than 1 / divisor, so that halves are rounded up. A
// negative n has the bits of a negative float or of no number (NaN); saturation (.sat) turns both
// into 0. Another instruction clamps at 255 and packs the bytes.
#pragma once

#include <cuda_runtime.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <optional>
#include <string>

#include "common/base/error.hpp"

namespace convolab {

/// Computes what the instruction computes. A double holds the product of n, which is below 2^24,
/// and a float exactly.
inline int bit_quotient(std::int32_t n, float inverse) {
    if (n < 0) return 0;
    return static_cast<int>(std::nearbyint(static_cast<double>(n) * static_cast<double>(inverse)));
}

struct BitDivision {
    float inverse;

    __device__ __forceinline__ int quotient(int sum) const {
#ifdef CUDA_ON_CPU
        return bit_quotient(sum, inverse);
#else
        float bits;
        asm("mul.rn.sat.f32 %0, %1, %2;" : "=f"(bits) : "f"(__int_as_float(sum)), "f"(inverse));
        return __float_as_int(bits);
#endif
    }

    /// Returns the bytes of sums 0, 2, 1 and 3 in one word: products have sums in this order.
    __device__ __forceinline__ unsigned four_bytes(const int* sums) const {
        const unsigned upper = packed(quotient(sums[3]), quotient(sums[1]), 0);
        return packed(quotient(sums[2]), quotient(sums[0]), upper);
    }

  private:
    /// Clamps two numbers to bytes and puts them below the lower half of `above`.
    static __device__ __forceinline__ unsigned packed(int high, int low, unsigned above) {
#ifdef CUDA_ON_CPU
        const auto byte = [](int n) { return static_cast<unsigned>(std::clamp(n, 0, 255)); };
        return above << 16 | byte(high) << 8 | byte(low);
#else
        unsigned bytes;
        asm("cvt.pack.sat.u8.s32.b32 %0, %1, %2, %3;"
            : "=r"(bytes)
            : "r"(high), "r"(low), "r"(above));
        return bytes;
#endif
    }
};

/// Finds nothing if no float gives exact quotients, which is possible only for divisors over 46574.
/// A quotient never decreases when n grows. So all quotients are right if they are right on both
/// sides of each of the 255 steps.
inline std::optional<BitDivision> find_bit_division(std::int32_t divisor,
                                                    std::int32_t largest_sum) {
    const std::int32_t half = divisor / 2;
    const auto is_exact = [&](float inverse) {
        for (std::int32_t byte = 1; byte <= 255 && byte * divisor - half <= largest_sum; ++byte) {
            const std::int32_t step = byte * divisor - half;  // the least sum that gives `byte`
            if (bit_quotient(step, inverse) != byte || bit_quotient(step - 1, inverse) != byte - 1)
                return false;
        }
        return true;
    };
    auto inverse = static_cast<float>(1.0 / divisor);
    for (int tries = 0; tries < 64; ++tries, inverse = std::nextafter(inverse, 2.0F))
        if (largest_sum < 1 << 24 && is_exact(inverse)) return BitDivision{inverse};
    return {};
}

/// Throws Unsupported if there is none.
inline BitDivision bit_division(std::int32_t divisor, std::int32_t largest_sum) {
    if (const auto division = find_bit_division(divisor, largest_sum)) return *division;
    throw Unsupported("No product with a float divides the sums of this filter by " +
                      std::to_string(divisor) + " exactly.");
}

}  // namespace convolab
