// SPDX-License-Identifier: MIT
// The colour of a change. d = |dR| + |dG| + |dB| of a pixel, 0..765; x = d / 765;
//
//     red = 255 sin(pi x - pi/2)    green = 255 sin(pi x)    blue = 255 sin(pi x + pi/2)
//
// Each value is clamped to 0..255 and rounded half up. So a small change is blue, a medium one
// green, and a large one red. There are 766 differences, and as many colours.
#pragma once

#include <array>
#include <cmath>
#include <cstdint>
#include <cstdlib>

#include "common/base/device_code.hpp"

namespace convolab::heat {

inline constexpr int kDifferences = 766;

struct Colour {
    std::uint8_t red, green, blue;
    bool operator==(const Colour&) const = default;
};

/// d, the difference of two pixels.
HOST_DEVICE inline int difference(const std::uint8_t* a, const std::uint8_t* b) {
    return std::abs(a[0] - b[0]) + std::abs(a[1] - b[1]) + std::abs(a[2] - b[2]);
}
HOST_DEVICE inline void put(std::uint8_t* pixel, Colour colour) {
    pixel[0] = colour.red;
    pixel[1] = colour.green;
    pixel[2] = colour.blue;
}

/// Two of the 2298 values are ties: sin(pi/6) is 1/2, and 255/2 is 127.5. A small error could put
/// them on either side, so this number is added before rounding. All other values are at least
/// 0.00045 away from a tie, and this is half of that. So arithmetic with smaller errors, such as
/// float, gives the same bytes as double.
inline constexpr double kAboveTie = 0.000225;

/// 255 s, clamped and rounded half up.
template <class Real>
HOST_DEVICE inline std::uint8_t to_byte(Real s) {
    const Real value = Real(255) * s + Real(0.5 + kAboveTie);
    return value < Real(0) ? std::uint8_t{0} : static_cast<std::uint8_t>(value);
}

/// The formula, in double or float.
template <class Real>
HOST_DEVICE inline Colour colour_of(int difference) {
    const Real angle = Real(3.14159265358979323846) * static_cast<Real>(difference) / Real(765);
    const Real quarter = Real(1.57079632679489661923);
    return {to_byte(std::sin(angle - quarter)), to_byte(std::sin(angle)),
            to_byte(std::sin(angle + quarter))};
}

/// A colour as the low three bytes of a word: red, green, blue, 0.
HOST_DEVICE constexpr std::uint32_t to_word(Colour colour) {
    return colour.red | std::uint32_t{colour.green} << 8 | std::uint32_t{colour.blue} << 16;
}

/// All colours, by the formula in double precision.
std::array<Colour, kDifferences> all_colours();

}  // namespace convolab::heat
