// SPDX-License-Identifier: MIT
// From the sum of taps times samples to the sample that is stored: divide, round half up, clamp.
//
// Why one float division is enough. Let s be the exact sum, |s| < 2^24, and d <= 65536 the divisor.
// floor(s/d + 1/2) changes at the points s/d = n - 1/2. Any other s/d is at least 1/(2d) away from
// these points (1/d for even d). Only quotients below 256 matter; their rounding error is at most
// 2^-17, while 1/(2d) > 2^-17 for odd d < 65536, and 1/d >= 2^-16 for even d. So rounding s/d does
// not reach or pass such a point, and neither does adding 1/2 to a float in [0, 256).
#pragma once

#include <cstdint>

#include "common/base/device_code.hpp"

namespace convolab {

/// In integers, as the reference does it.
HOST_DEVICE inline std::uint8_t round_to_byte(std::int64_t sum, std::int64_t divisor) {
    const std::int64_t twice = 2 * sum + divisor;
    if (twice <= 0) return 0;
    const std::int64_t q = twice / (2 * divisor);
    return static_cast<std::uint8_t>(q > 255 ? 255 : q);
}

/// In floats: the same byte for every sum and divisor that a Filter can produce.
HOST_DEVICE inline std::uint8_t round_to_byte(float sum, float divisor) {
    const float q = sum / divisor + 0.5F;
    return static_cast<std::uint8_t>(q <= 0.0F ? 0.0F : q >= 255.0F ? 255.0F : q);
}

/// The sample of type T: 8-bit samples are rounded and clamped, float32 samples only divided.
template <class T>
HOST_DEVICE inline T to_sample(float sum, float divisor) {
    return static_cast<T>(round_to_byte(sum, divisor));
}
template <>
HOST_DEVICE inline float to_sample<float>(float sum, float divisor) {
    return sum / divisor;
}

}  // namespace convolab
