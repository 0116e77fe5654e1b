// SPDX-License-Identifier: MIT
// The 16 bits of a half: a sign, 5 bits of exponent (bias 15), 10 of fraction.
#pragma once

#include <cmath>
#include <cstdint>

namespace cuda_on_cpu {

inline float half_value(std::uint16_t bits) {
    const int exponent = bits >> 10 & 31, fraction = bits & 1023;
    float value = exponent == 0 ? std::ldexp(static_cast<float>(fraction), -24)
                                : std::ldexp(static_cast<float>(fraction + 1024), exponent - 25);
    if (exponent == 31) value = fraction == 0 ? INFINITY : NAN;
    return (bits & 0x8000) != 0 ? -value : value;
}

/// The nearest half, ties to even. A double, so that the result of a fused multiply-add is rounded
/// once.
inline std::uint16_t half_bits(double value) {
    const std::uint16_t sign = std::signbit(value) ? 0x8000 : 0;
    const double size = std::abs(value);
    if (std::isnan(value)) return 0x7fff;
    if (size == 0) return sign;
    if (size >= 65520) return sign | 0x7c00;  // half a step above the largest, 65504
    int exponent = 0;
    std::frexp(size, &exponent);         // size < 2^exponent
    if (exponent < -13) exponent = -13;  // denormal: steps of 2^-24
    const auto steps =
        static_cast<int>(std::nearbyint(std::ldexp(size, 11 - exponent)));  // 0 to 2048
    // The leading 1 of a normal number, and a carry, count up the exponent.
    return static_cast<std::uint16_t>(sign | (((exponent + 13) << 10) + steps));
}

}  // namespace cuda_on_cpu
