// SPDX-License-Identifier: MIT
// Floats of 16 bits: a sign, then the exponent, then the fraction. A half has 10 bits of fraction,
// a bfloat16 has 7 and the exponents of a float.
#pragma once

#include <bit>
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
inline float bfloat16_value(std::uint16_t bits) {
    return std::bit_cast<float>(std::uint32_t{bits} << 16);
}

/// The nearest one, ties to even. A double, so that the result of a fused multiply-add is rounded
/// once.
template <int fraction>
inline std::uint16_t nearest_bits(double value) {
    constexpr int bias = (1 << (14 - fraction)) - 1;
    const std::uint16_t sign = std::signbit(value) ? 0x8000 : 0;
    const double size = std::abs(value);
    if (std::isnan(value)) return 0x7fff;
    if (size == 0) return sign;
    // half a step above the largest
    if (size >= std::ldexp((2 << fraction) - 0.5, bias - fraction))
        return static_cast<std::uint16_t>(sign | (2 * bias + 1) << fraction);
    int exponent = 0;
    std::frexp(size, &exponent);                         // size < 2^exponent
    if (exponent < 2 - bias) exponent = 2 - bias;        // denormal: steps of the smallest
    const auto steps = static_cast<int>(std::nearbyint(  // 0 to 2^(fraction + 1)
        std::ldexp(size, fraction + 1 - exponent)));
    // The leading 1 of a normal number, and a carry, count up the exponent.
    return static_cast<std::uint16_t>(sign | (((exponent + bias - 2) << fraction) + steps));
}
inline std::uint16_t half_bits(double value) { return nearest_bits<10>(value); }
inline std::uint16_t bfloat16_bits(double value) { return nearest_bits<7>(value); }

/// The sum for rounding to 16 bits: where a double does not hold it, the last bit is 1, so that it
/// is never mistaken for the middle between two neighbours.
inline double sum_to_odd(double a, double b) {
    const double sum = a + b, of_b = sum - a;
    const double lost = (a - (sum - of_b)) + (b - of_b);
    const bool is_odd = (std::bit_cast<std::uint64_t>(sum) & 1U) != 0;
    if (is_odd || !(std::abs(lost) > 0)) return sum;
    return std::nextafter(sum, lost > 0 ? INFINITY : -INFINITY);
}

}  // namespace cuda_on_cpu
