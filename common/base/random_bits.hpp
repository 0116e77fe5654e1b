// SPDX-License-Identifier: MIT
// 64 well mixed bits from a counter: the same numbers on every machine, in any order.
#pragma once

#include <cstdint>

namespace convolab {

/// The mixing function of splitmix64 (Steele, Lea, Flood 2014).
constexpr std::uint64_t random_bits(std::uint64_t counter) {
    counter = (counter ^ (counter >> 30)) * 0xbf58476d1ce4e5b9ULL;
    counter = (counter ^ (counter >> 27)) * 0x94d049bb133111ebULL;
    return counter ^ (counter >> 31);
}

/// Added to a counter at every step, so that counters that differ little give unrelated bits.
inline constexpr std::uint64_t kRandomStep = 0x9e3779b97f4a7c15ULL;

}  // namespace convolab
