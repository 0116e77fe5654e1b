// SPDX-License-Identifier: MIT
// Arithmetic on several samples per 32-bit word, exact in 32 bits: dot products of the bytes or
// halves of a word with up to four 8-bit taps, one instruction each (dp4a, dp2a; CUDA C++
// Programming Guide, integer intrinsics); a column of samples as such words; the division of a sum,
// and sums as bytes.
#pragma once

#include <cuda_runtime.h>

#include <bit>
#include <cstdint>
#include <vector>

namespace convolab {

/// c + the four bytes of `samples`, 0..255, times the four bytes of `taps`, 0..255.
inline __device__ int dp4a_unsigned(unsigned samples, unsigned taps, int c) {
    return static_cast<int>(__dp4a(samples, taps, static_cast<unsigned>(c)));
}
/// c + the two halves of `sums`, 0..65535, times the two low bytes of `taps`, 0..255.
inline __device__ int dp2a_unsigned(unsigned sums, unsigned taps, int c) {
    return static_cast<int>(__dp2a_lo(sums, taps, static_cast<unsigned>(c)));
}

// The same with taps -128..127. CUDA has no functions that mix unsigned and signed factors, but PTX
// has the instructions.
#ifdef CUDA_ON_CPU
inline int dp4a_signed(unsigned samples, unsigned taps, int c) {
    for (int i = 0; i < 4; ++i)
        c +=
            static_cast<int>(samples >> (8 * i) & 255U) * static_cast<std::int8_t>(taps >> (8 * i));
    return c;
}
inline int dp2a_signed(unsigned sums, unsigned taps, int c) {
    for (int i = 0; i < 2; ++i)
        c +=
            static_cast<int>(sums >> (16 * i) & 65535U) * static_cast<std::int8_t>(taps >> (8 * i));
    return c;
}
#else
inline __device__ int dp4a_signed(unsigned samples, unsigned taps, int c) {
    int sum;
    asm("dp4a.u32.s32 %0, %1, %2, %3;" : "=r"(sum) : "r"(samples), "r"(taps), "r"(c));
    return sum;
}
inline __device__ int dp2a_signed(unsigned sums, unsigned taps, int c) {
    int sum;
    asm("dp2a.lo.u32.s32 %0, %1, %2, %3;" : "=r"(sum) : "r"(sums), "r"(taps), "r"(c));
    return sum;
}
#endif

// __byte_perm(a, b, s): byte n of the result is the byte whose number is hexadecimal digit n of s,
// counted from the right: 0 to 3 are those of a, 4 to 7 those of b.

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

/// The samples of the last K rows under one byte of a lane, four per word, in the order of their
/// taps. Tap k belongs to the row that is `age` rows above the newest. K = 3 and 7: words of four
/// rows, the newest in byte 3 of the first word. K = 5 and 9: the newest row alone, then words of
/// four rows.
template <int ksize>
class ColumnWindow {
  public:
    static constexpr int kWords = ksize == 3 ? 1 : ksize == 9 ? 3 : 2;

    /// Byte `byte` of `word` is the sample of the next row; `rows` receives the words of the
    /// window.
    __device__ __forceinline__ void push(unsigned word, int byte, unsigned (&rows)[kWords]) {
        const unsigned last = newest_;
        newest_ = __byte_perm(last, word, 0x0321 + ((4 + byte) << 12));
        rows[0] = newest_;
        if constexpr (ksize == 5) rows[1] = last;
        if constexpr (ksize == 7) rows[1] = older_ = __byte_perm(older_, last, 0x4321);
        if constexpr (ksize == 9) {
            rows[1] = last;
            rows[2] = older_;
            older_ = __byte_perm(older_, last, 0x4321);
        }
    }

  private:
    unsigned newest_ = 0;  // four rows, byte 3 the newest
    unsigned older_ = 0;   // and, for K 7 and 9, the four before
};

/// Writes the low 8 bits of the 3, 5, 7 or 9 taps of a column in the same order.
inline void put_column(const std::vector<std::int32_t>& taps, unsigned (&words)[3]) {
    const auto ksize = static_cast<int>(taps.size());
    for (int k = 0; k < ksize; ++k) {
        const int age = ksize - 1 - k;
        const int place = ksize % 4 == 1 && age > 0 ? age + 3 : age;
        words[place / 4] |= (static_cast<unsigned>(taps[k]) & 255U) << (8 * (3 - place % 4));
    }
}

/// Division by a number that is known when the kernel is launched: a multiplication and a shift (T.
/// Granlund, P. Montgomery: Division by Invariant Integers using Multiplication, 1994).
struct FastDivision {
    unsigned multiplier;  ///< ceil(2^(31 + shift) / divisor)
    int shift;            ///< bits of divisor - 1

    /// floor(sum / divisor) as a byte: 0 if it is negative, 255 if it exceeds 255. Exact for sums
    /// below 2^24 and divisors up to 65536: the multiplier is too large by less than 2^shift parts
    /// of 2^(31 + shift), which with 2 * sum < 2^25 never reaches the next integer.
    __device__ int byte(int sum) const {
        const auto twice = 2 * static_cast<unsigned>(max(sum, 0));
        return static_cast<int>(min(__umulhi(twice, multiplier) >> shift, 255U));
    }
};

inline FastDivision fast_division(std::int32_t divisor) {
    const int shift = std::bit_width(static_cast<unsigned>(divisor - 1));
    const std::uint64_t power = std::uint64_t{1} << (31 + shift);
    const auto d = static_cast<std::uint64_t>(divisor);
    return {static_cast<unsigned>((power + d - 1) / d), shift};
}

}  // namespace convolab
