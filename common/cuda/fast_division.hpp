// Copyright (c) 2026 The Convolab authors
// SPDX-License-Identifier: MIT
//
// Division of integers by a number that is known when the kernel is launched: a multiplication and a
// shift (T. Granlund, P. Montgomery: Division by Invariant Integers using Multiplication, 1994).
#pragma once

#include <cuda_runtime.h>

#include <bit>
#include <cstdint>

namespace convolab {

struct FastDivision {
    unsigned multiplier;  ///< ceil(2^(31 + shift) / divisor)
    int shift;            ///< bits of divisor - 1

    /// floor(sum / divisor) as a byte: 0 where it is negative, 255 where it exceeds 255.
    /// Exact for sums below 2^24 and divisors up to 65536: the multiplier is too large by less than
    /// 2^shift parts of 2^(31 + shift), which with 2 * sum < 2^25 never reaches the next integer.
    __device__ int byte(int sum) const {
        const auto twice = 2 * static_cast<unsigned>(max(sum, 0));
        return static_cast<int>(min(__umulhi(twice, multiplier) >> shift, 255U));
    }
};

inline FastDivision fast_division(std::int32_t divisor) {
    const int shift = std::bit_width(static_cast<unsigned>(divisor - 1));
    const std::uint64_t power = std::uint64_t{1} << (31 + shift);
    const auto d = static_cast<std::uint64_t>(divisor);
    return {static_cast<unsigned>((power + d - 1) / d), shift};
}

}  // namespace convolab
