// Copyright (c) 2026 The Convolab authors
// SPDX-License-Identifier: MIT
//
// The division of common/cuda/float_division.hpp in one instruction, for sums whose quotient is at
// most 255: nothing is clamped. A sum n begins as the float 2^23 + start.
//
//     b = round_down((2^23 + start + n) x factor + offset)     2^23 + the byte
//
// The offset has steps of 1/2, which are too coarse for a quotient. But one more in `start` adds
// 1 / divisor, so the host looks for a start that puts all 255 steps in the right place.
#pragma once

#include <cuda_runtime.h>

#include <bit>
#include <cmath>
#include <cstdint>
#include <optional>

#include "common/base/device_code.hpp"

namespace convolab::separable {

struct MeanDivision {
    float factor, offset;
    int start;  ///< of a sum

    /// The byte is the lowest of the result.
    HOST_DEVICE int byte(int sum) const {
#ifdef __CUDA_ARCH__
        return __float_as_int(__fmaf_rd(__int_as_float(sum), factor, offset));
#else
        const double product =
            static_cast<double>(std::bit_cast<float>(sum)) * static_cast<double>(factor);  // exact
        return static_cast<int>(std::floor(product + (static_cast<double>(offset) - 8388608)));
#endif
    }
};

/// Nothing if a quotient exceeds 255 or no start is found.
inline std::optional<MeanDivision> mean_division(std::int32_t divisor, std::int32_t largest_sum) {
    constexpr float k2To23 = 8388608;
    const std::int32_t half = divisor / 2;
    if (divisor < 3 || (largest_sum + half) / divisor > 255) return {};
    const float factor = 1.0F / static_cast<float>(divisor);
    for (int more = 0; more <= half + 1; ++more) {
        const float zero_sum = k2To23 + static_cast<float>(more);
        const double at_zero = static_cast<double>(zero_sum) * static_cast<double>(factor);
        const auto offset = static_cast<float>(8388608 - 0.5 * std::floor(2 * at_zero));
        const int zero = std::bit_cast<int>(zero_sum);  // n + half is 0
        const MeanDivision division{factor, offset, zero + half};
        bool is_exact = zero + half + largest_sum < std::bit_cast<int>(2 * k2To23);
        for (int byte = 1; is_exact && byte <= 255; ++byte)
            is_exact = division.byte(zero + byte * divisor - 1) == byte - 1 &&
                       division.byte(zero + byte * divisor) == byte;
        if (is_exact) return division;
    }
    return {};
}

}  // namespace convolab::separable
