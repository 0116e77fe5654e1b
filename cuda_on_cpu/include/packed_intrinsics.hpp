// Copyright (c) 2026 The Convolab authors
// SPDX-License-Identifier: MIT
//
// CUDA's functions on two 16-bit or four 8-bit numbers packed into one 32-bit word.
// Names: u unsigned, s signed, ss / us with saturation.
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
constexpr auto mean_down = [](int x, int y) { return (x + y) >> 1; };
constexpr auto equal = [](int x, int y) { return x == y; };
constexpr auto different = [](int x, int y) { return x != y; };
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

// name(a, b), the lanes' type, what is done to each pair of lanes
#define CUDA_ON_CPU_LANES(name, Lane, function)                                        \
    inline unsigned name(unsigned a, unsigned b) {                                     \
        return cuda_on_cpu::each_lane<cuda_on_cpu::Lane>(a, b, cuda_on_cpu::function); \
    }
#define CUDA_ON_CPU_SATURATE(name, Lane, function, low, high)                     \
    inline unsigned name(unsigned a, unsigned b) {                                \
        return cuda_on_cpu::each_lane<cuda_on_cpu::Lane>(a, b, [](int x, int y) { \
            return cuda_on_cpu::clamped<low, high>(cuda_on_cpu::function(x, y));  \
        });                                                                       \
    }
#define CUDA_ON_CPU_COMPARE(name, Lane, function)                                          \
    inline unsigned name(unsigned a, unsigned b) {                                         \
        return cuda_on_cpu::compare_lanes<cuda_on_cpu::Lane>(a, b, cuda_on_cpu::function); \
    }
CUDA_ON_CPU_LANES(__vadd2, u16, add)
CUDA_ON_CPU_LANES(__vadd4, u8, add)
CUDA_ON_CPU_LANES(__vsub2, u16, subtract)
CUDA_ON_CPU_LANES(__vsub4, u8, subtract)
CUDA_ON_CPU_LANES(__vminu2, u16, smaller)
CUDA_ON_CPU_LANES(__vminu4, u8, smaller)
CUDA_ON_CPU_LANES(__vmins2, s16, smaller)
CUDA_ON_CPU_LANES(__vmins4, s8, smaller)
CUDA_ON_CPU_LANES(__vmaxu2, u16, larger)
CUDA_ON_CPU_LANES(__vmaxu4, u8, larger)
CUDA_ON_CPU_LANES(__vmaxs2, s16, larger)
CUDA_ON_CPU_LANES(__vmaxs4, s8, larger)
CUDA_ON_CPU_LANES(__vabsdiffu2, u16, distance)
CUDA_ON_CPU_LANES(__vabsdiffu4, u8, distance)
CUDA_ON_CPU_LANES(__vavgu2, u16, mean_up)
CUDA_ON_CPU_LANES(__vavgu4, u8, mean_up)
CUDA_ON_CPU_LANES(__vhaddu2, u16, mean_down)
CUDA_ON_CPU_LANES(__vhaddu4, u8, mean_down)
CUDA_ON_CPU_SATURATE(__vaddus2, u16, add, 0, 65535)
CUDA_ON_CPU_SATURATE(__vaddus4, u8, add, 0, 255)
CUDA_ON_CPU_SATURATE(__vaddss2, s16, add, -32768, 32767)
CUDA_ON_CPU_SATURATE(__vaddss4, s8, add, -128, 127)
CUDA_ON_CPU_SATURATE(__vsubus2, u16, subtract, 0, 65535)
CUDA_ON_CPU_SATURATE(__vsubus4, u8, subtract, 0, 255)
CUDA_ON_CPU_SATURATE(__vsubss2, s16, subtract, -32768, 32767)
CUDA_ON_CPU_SATURATE(__vsubss4, s8, subtract, -128, 127)
CUDA_ON_CPU_COMPARE(__vcmpeq2, u16, equal)
CUDA_ON_CPU_COMPARE(__vcmpeq4, u8, equal)
CUDA_ON_CPU_COMPARE(__vcmpne2, u16, different)
CUDA_ON_CPU_COMPARE(__vcmpne4, u8, different)
CUDA_ON_CPU_COMPARE(__vcmpgtu2, u16, greater)
CUDA_ON_CPU_COMPARE(__vcmpgtu4, u8, greater)
CUDA_ON_CPU_COMPARE(__vcmpgeu2, u16, at_least)
CUDA_ON_CPU_COMPARE(__vcmpgeu4, u8, at_least)
#undef CUDA_ON_CPU_LANES
#undef CUDA_ON_CPU_SATURATE
#undef CUDA_ON_CPU_COMPARE

/// The sum of the four distances of bytes.
inline unsigned __vsadu4(unsigned a, unsigned b) {
    const unsigned d = __vabsdiffu4(a, b);
    return (d & 0xffU) + (d >> 8 & 0xffU) + (d >> 16 & 0xffU) + (d >> 24);
}
