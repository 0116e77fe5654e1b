// SPDX-License-Identifier: MIT
// Divides the sum of a pixel on a GPU: a multiplication by the reciprocal, which the host computes
// once, and a correction of two multiply-adds. A division would take about ten instructions and a
// branch.
//
// Why it gives the same byte as common/convolution/rounding.hpp: q = sum * reciprocal is at most
// two units in the last place away from the quotient. So the remainder sum - q * divisor fits in a
// float and fmaf computes it exactly. remainder * reciprocal is then exact to 2^-22 of a unit, and
// the one rounding that follows is that of a division. rounding.hpp shows that its error is below
// the distance to the next boundary by 1.1e-10; the correction's own error is below 2e-12.
#pragma once

#include <cmath>
#include <cstdint>

#include "common/base/device_code.hpp"
#include "common/convolution/rounding.hpp"

namespace convolab {

struct Divisor {
    float value;
    float reciprocal;

    explicit Divisor(std::int32_t divisor)
        : value(static_cast<float>(divisor)), reciprocal(1.0F / value) {}
    Divisor() = default;

    HOST_DEVICE float quotient(float sum) const {
        const float q = sum * reciprocal;
        return fmaf(fmaf(-q, value, sum), reciprocal, q);
    }
};

/// The sum divided, rounded half up and clamped to 0..255, still as a float.
HOST_DEVICE inline float rounded(float sum, const Divisor& divisor) {
    return truncf(fminf(fmaxf(divisor.quotient(sum) + 0.5F, 0.0F), 255.0F));
}

/// The sample of type T: integers are rounded and clamped, floats only divided.
template <class T>
HOST_DEVICE inline T to_sample(float sum, const Divisor& divisor) {
    const float q = divisor.quotient(sum) + 0.5F;
    return static_cast<T>(static_cast<int>(fminf(fmaxf(q, 0.0F), 255.0F)));
}
template <>
HOST_DEVICE inline float to_sample<float>(float sum, const Divisor& divisor) {
    return sum / divisor.value;
}

}  // namespace convolab
