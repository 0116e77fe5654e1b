// Copyright (c) 2026 The Convolab authors
// SPDX-License-Identifier: MIT
//
// Dot products of the bytes or halves of a 32-bit word with up to four 8-bit taps: one instruction each
// (dp4a, dp2a; CUDA C++ Programming Guide, integer intrinsics), exact in 32 bits.
#pragma once

#include <cuda_runtime.h>

#include <cstdint>

namespace convolab {

/// c + the four bytes of `samples`, 0..255, times the four bytes of `taps`, 0..255.
inline __device__ int dot4_unsigned(unsigned samples, unsigned taps, int c) {
    return static_cast<int>(__dp4a(samples, taps, static_cast<unsigned>(c)));
}
/// c + the two halves of `sums`, 0..65535, times the two low bytes of `taps`, 0..255.
inline __device__ int dot2_unsigned(unsigned sums, unsigned taps, int c) {
    return static_cast<int>(__dp2a_lo(sums, taps, static_cast<unsigned>(c)));
}

// The same with taps -128..127. CUDA has no functions that mix unsigned and signed factors, but PTX has
// the instructions.
#ifdef CUDA_ON_CPU
inline int dot4_signed(unsigned samples, unsigned taps, int c) {
    for (int i = 0; i < 4; ++i)
        c +=
            static_cast<int>(samples >> (8 * i) & 255U) * static_cast<std::int8_t>(taps >> (8 * i));
    return c;
}
inline int dot2_signed(unsigned sums, unsigned taps, int c) {
    for (int i = 0; i < 2; ++i)
        c +=
            static_cast<int>(sums >> (16 * i) & 65535U) * static_cast<std::int8_t>(taps >> (8 * i));
    return c;
}
#else
inline __device__ int dot4_signed(unsigned samples, unsigned taps, int c) {
    int sum;
    asm("dp4a.u32.s32 %0, %1, %2, %3;" : "=r"(sum) : "r"(samples), "r"(taps), "r"(c));
    return sum;
}
inline __device__ int dot2_signed(unsigned sums, unsigned taps, int c) {
    int sum;
    asm("dp2a.lo.u32.s32 %0, %1, %2, %3;" : "=r"(sum) : "r"(sums), "r"(taps), "r"(c));
    return sum;
}
#endif

/// Bytes 2 of four words, in one word.
__device__ inline unsigned pack_bytes_2(const int (&words)[4]) {
    const auto two = [](int a, int b) {
        return __byte_perm(static_cast<unsigned>(a), static_cast<unsigned>(b), 0x0062);
    };
    return __byte_perm(two(words[0], words[1]), two(words[2], words[3]), 0x5410);
}

/// Bytes 0 of four words, in one word.
__device__ inline unsigned pack_bytes_0(const int (&words)[4]) {
    const auto two = [](int a, int b) {
        return __byte_perm(static_cast<unsigned>(a), static_cast<unsigned>(b), 0x0040);
    };
    return __byte_perm(two(words[0], words[1]), two(words[2], words[3]), 0x5410);
}

}  // namespace convolab
