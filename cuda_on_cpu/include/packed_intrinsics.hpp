// SPDX-License-Identifier: MIT
// CUDA's functions on two 16-bit or four 8-bit numbers packed into one 32-bit word; those of lane
// by lane are in lane_intrinsics.hpp. Names: u unsigned, s signed, ss / us with saturation.
#pragma once

#include <cstdint>

#include "vector_types.hpp"

namespace cuda_on_cpu {

/// Applies `function` to each pair of lanes, Lane wide, given as int; keeps the low bits.
template <class Lane, class Function>
inline unsigned each_lane(unsigned a, unsigned b, Function function) {
    constexpr int bits = 8 * static_cast<int>(sizeof(Lane));
    constexpr unsigned mask = (1U << bits) - 1;
    unsigned result = 0;
    for (int shift = 0; shift < 32; shift += bits) {
        const int x = static_cast<Lane>(a >> shift);
        const int y = static_cast<Lane>(b >> shift);
        result |= (static_cast<unsigned>(function(x, y)) & mask) << shift;
    }
    return result;
}
template <int low, int high>
constexpr int clamped(int value) {
    return value < low ? low : value > high ? high : value;
}
template <class Lane, class Function>
inline unsigned compare_lanes(unsigned a, unsigned b, Function function) {
    return each_lane<Lane>(a, b, [=](int x, int y) { return function(x, y) ? -1 : 0; });
}
template <class Lane>
inline unsigned sum_of_lanes(unsigned a) {
    unsigned sum = 0;
    for (unsigned shift = 0; shift < 32; shift += 8 * sizeof(Lane))
        sum += static_cast<Lane>(a >> shift);
    return sum;
}
/// c + the four products of the bytes of a and b.
template <class Lane, class Sum>
inline Sum dot_product(unsigned a, unsigned b, Sum c) {
    unsigned sum = static_cast<unsigned>(c);  // wraps around, as on the GPU
    for (int shift = 0; shift < 32; shift += 8)
        sum += static_cast<unsigned>(static_cast<Lane>(a >> shift) * static_cast<Lane>(b >> shift));
    return static_cast<Sum>(sum);
}
/// c + the two halves of a times the two bytes of b from bit `first` on.
template <class Half, class Byte, class Word>
inline Word dot_halves(Word a, Word b, Word c, int first) {
    auto sum = static_cast<unsigned>(c);
    for (int i = 0; i < 2; ++i)
        sum += static_cast<unsigned>(static_cast<Half>(a >> (16 * i)) *
                                     static_cast<Byte>(b >> (first + 8 * i)));
    return static_cast<Word>(sum);
}
inline unsigned bits_of(uchar4 v) { return v.x | v.y << 8 | v.z << 16 | unsigned{v.w} << 24; }
inline unsigned bits_of(char4 v) {
    return bits_of(uchar4{static_cast<unsigned char>(v.x), static_cast<unsigned char>(v.y),
                          static_cast<unsigned char>(v.z), static_cast<unsigned char>(v.w)});
}
inline int bits_of(short2 v) {
    return static_cast<int>(static_cast<unsigned short>(v.x) |
                            unsigned{static_cast<unsigned short>(v.y)} << 16);
}

using u8 = std::uint8_t;
using s8 = std::int8_t;
using u16 = std::uint16_t;
using s16 = std::int16_t;
constexpr auto add = [](int x, int y) { return x + y; };
constexpr auto subtract = [](int x, int y) { return x - y; };
constexpr auto smaller = [](int x, int y) { return x < y ? x : y; };
constexpr auto larger = [](int x, int y) { return x > y ? x : y; };
constexpr auto distance = [](int x, int y) { return x > y ? x - y : y - x; };
constexpr auto mean_up = [](int x, int y) { return (x + y + 1) >> 1; };
constexpr auto mean_away = [](int x, int y) { return (x + y + (x + y >= 0)) >> 1; };  // from 0
constexpr auto mean_down = [](int x, int y) { return (x + y) >> 1; };
constexpr auto equal = [](int x, int y) { return x == y; };
constexpr auto different = [](int x, int y) { return x != y; };
constexpr auto smaller_than = [](int x, int y) { return x < y; };
constexpr auto at_most = [](int x, int y) { return x <= y; };
constexpr auto greater = [](int x, int y) { return x > y; };
constexpr auto at_least = [](int x, int y) { return x >= y; };

}  // namespace cuda_on_cpu

/// Byte i of the result is the byte of b:a that the i-th hexadecimal digit of the selector names; a
/// digit of 8 or more repeats the sign bit of the byte named by its low three bits.
inline unsigned __byte_perm(unsigned a, unsigned b, unsigned selector) {
    const std::uint64_t bytes = std::uint64_t{b} << 32 | a;
    unsigned result = 0;
    for (int i = 0; i < 4; ++i) {
        const unsigned digit = selector >> (4 * i) & 0xfU;
        unsigned byte = static_cast<unsigned>(bytes >> (8 * (digit & 7U))) & 0xffU;
        if ((digit & 8U) != 0) byte = (byte & 0x80U) != 0 ? 0xffU : 0;
        result |= byte << (8 * i);
    }
    return result;
}

inline int __dp4a(int a, int b, int c) {
    return cuda_on_cpu::dot_product<std::int8_t>(static_cast<unsigned>(a), static_cast<unsigned>(b),
                                                 c);
}
inline unsigned __dp4a(unsigned a, unsigned b, unsigned c) {
    return cuda_on_cpu::dot_product<std::uint8_t>(a, b, c);
}
inline int __dp4a(char4 a, char4 b, int c) {
    return cuda_on_cpu::dot_product<std::int8_t>(cuda_on_cpu::bits_of(a), cuda_on_cpu::bits_of(b),
                                                 c);
}
inline unsigned __dp4a(uchar4 a, uchar4 b, unsigned c) {
    return cuda_on_cpu::dot_product<std::uint8_t>(cuda_on_cpu::bits_of(a), cuda_on_cpu::bits_of(b),
                                                  c);
}

/// c + the two 16-bit halves of a times the two low (lo) or high (hi) bytes of b.
inline int __dp2a_lo(int a, int b, int c) {
    return cuda_on_cpu::dot_halves<std::int16_t, std::int8_t>(a, b, c, 0);
}
inline int __dp2a_hi(int a, int b, int c) {
    return cuda_on_cpu::dot_halves<std::int16_t, std::int8_t>(a, b, c, 16);
}
inline unsigned __dp2a_lo(unsigned a, unsigned b, unsigned c) {
    return cuda_on_cpu::dot_halves<std::uint16_t, std::uint8_t>(a, b, c, 0);
}
inline unsigned __dp2a_hi(unsigned a, unsigned b, unsigned c) {
    return cuda_on_cpu::dot_halves<std::uint16_t, std::uint8_t>(a, b, c, 16);
}

inline int __dp2a_lo(short2 a, char4 b, int c) {
    return __dp2a_lo(cuda_on_cpu::bits_of(a), static_cast<int>(cuda_on_cpu::bits_of(b)), c);
}
inline int __dp2a_hi(short2 a, char4 b, int c) {
    return __dp2a_hi(cuda_on_cpu::bits_of(a), static_cast<int>(cuda_on_cpu::bits_of(b)), c);
}
inline unsigned __dp2a_lo(ushort2 a, uchar4 b, unsigned c) {
    return __dp2a_lo(unsigned{a.x} | unsigned{a.y} << 16, cuda_on_cpu::bits_of(b), c);
}
inline unsigned __dp2a_hi(ushort2 a, uchar4 b, unsigned c) {
    return __dp2a_hi(unsigned{a.x} | unsigned{a.y} << 16, cuda_on_cpu::bits_of(b), c);
}
