// Copyright (c) 2026 The Convolab authors
// SPDX-License-Identifier: MIT
//
// Small things about lists of taps, for the planner.
#pragma once

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <vector>

namespace convolab {

using Taps = std::vector<std::int32_t>;

/// Two taps as the two bytes of a 16-bit word, that word twice.
inline std::int32_t two_bytes(int first, int second) {
    return static_cast<std::int32_t>(0x10001U * ((first & 0xFFU) | (second & 0xFFU) << 8));
}
/// Two taps as the two 16-bit words of a 32-bit word.
inline std::int32_t two_words(int first, int second) {
    return static_cast<std::int32_t>((first & 0xFFFFU) | (second & 0xFFFFU) << 16);
}

/// The sum of the positive taps.
inline int positive(const Taps& taps) {
    return std::accumulate(taps.begin(), taps.end(), 0,
                           [](int s, int t) { return s + std::max(t, 0); });
}
/// The sum of the negative taps.
inline int negative(const Taps& taps) {
    return std::accumulate(taps.begin(), taps.end(), 0,
                           [](int s, int t) { return s + std::min(t, 0); });
}
/// The greatest common divisor of the taps and `start`.
inline int common_factor(const Taps& taps, int start) {
    return std::accumulate(taps.begin(), taps.end(), start,
                           [](int a, int b) { return std::gcd(a, b); });
}

}  // namespace convolab
