// Copyright (c) 2026 The Convolab authors
// SPDX-License-Identifier: MIT
//
// The body of `packed` (common/cuda/strips.hpp says what a body is): each column of the filter is a dot
// product of bytes.
//
//   window   for each byte of the lane and of its halo, a word with the samples of the last four rows.
//            One permutation adds a new row. K = 5 and 7 keep two words.
//   sum      over the K columns, a pixel apart: dp4a of the words of the window and the column's taps.
//
// 5x5, RGB: 28 / 16 permutations and 10 dp4a per sample. A tap has 8 bits. Filters with larger taps use
// two digits, tap = low + 256 high, each from -128 to 127, and twice as many dp4a.
#pragma once

#include <numeric>
#include <string>

#include "common/cuda/fast_division.hpp"
#include "common/cuda/packed_arithmetic.hpp"
#include "common/cuda/packed_convolver.hpp"

namespace convolab::cuda_shared {

struct DirectTaps {
    unsigned digits[2][2][7];  ///< [digit][word of the window][column], as feed() keeps the rows
    int start;                 ///< half the divisor
    FastDivision division;
};

template <int channels, int ksize, int digits>
class DirectBody {
  public:
    static constexpr int kChannels = channels;
    static constexpr int kKsize = ksize;
    static constexpr int kHalo = (channels * (ksize / 2) + 3) / 4;
    static constexpr int kRowsAhead = 4;
    static constexpr int kBandOfMany = 16;
    static constexpr int kBlocksPerMultiprocessor = ksize == 3 ? 5 : ksize == 5 ? 4 : 3;
    using Taps = DirectTaps;

    __device__ explicit DirectBody(const Taps& taps) : taps_(taps) {
        UNROLL
        for (int i = 0; i < kWindow; ++i) newest_[i] = older_[i] = 0;
    }

    __device__ __forceinline__ void feed(const unsigned (&words)[kHalo + kLaneWords + kHalo]) {
        UNROLL
        for (int i = 0; i < kWindow; ++i) {
            const int at = 4 * kHalo - kReach + i;
            const unsigned last = newest_[i];
            // Byte 3 is the new row, byte 2 the one before it ...
            newest_[i] = __byte_perm(last, words[at / 4], 0x0321 + ((4 + at % 4) << 12));
            if constexpr (ksize == 5) older_[i] = last;  // one row older
            if constexpr (ksize == 7) older_[i] = __byte_perm(older_[i], last, 0x4321);  // four
        }
    }

    __device__ __forceinline__ void emit(unsigned (&out)[kLaneWords]) {
        UNROLL
        for (int w = 0; w < kLaneWords; ++w) {
            int bytes[4];
            UNROLL
            for (int i = 0; i < 4; ++i) {
                int sum = taps_.start + digit_sum(4 * w + i, 0);
                if constexpr (digits == 2) sum += 256 * digit_sum(4 * w + i, 1);
                bytes[i] = taps_.division.byte(sum);
            }
            out[w] = pack_bytes_0(bytes);
        }
    }

  private:
    static constexpr int kReach = channels * (ksize / 2);  // bytes to the farthest neighbour
    static constexpr int kWindow = kLaneBytes + 2 * kReach;

    __device__ __forceinline__ int digit_sum(int x, int digit) const {
        int sum = 0;
        UNROLL
        for (int column = 0; column < ksize; ++column) {
            const int i = x + column * channels;
            sum = dot4_signed(newest_[i], taps_.digits[digit][0][column], sum);
            if constexpr (ksize > 3)
                sum = dot4_signed(older_[i], taps_.digits[digit][1][column], sum);
        }
        return sum;
    }

    const Taps& taps_;
    unsigned newest_[kWindow];
    unsigned older_[kWindow];
};

/// The word of the window and the byte in it that hold the samples under row j of the filter.
struct DirectPlace {
    int word, byte;
};
constexpr DirectPlace direct_place(int ksize, int j) {
    const int age = ksize - 1 - j;  // 0: the newest row
    if (ksize == 5) return age == 0 ? DirectPlace{0, 3} : DirectPlace{1, 4 - age};
    return {age / 4, 3 - age % 4};
}

/// Taps and divisor without their common factor, as digits; `digits` says how many are needed.
/// Throws Unsupported where two are not enough.
inline DirectTaps direct_taps(const Filter& filter, int& digits) {
    std::int32_t factor = filter.divisor();
    for (const std::int32_t tap : filter.taps()) factor = std::gcd(factor, tap);
    DirectTaps taps{};
    taps.start = filter.divisor() / factor / 2;
    taps.division = fast_division(filter.divisor() / factor);
    digits = 1;
    for (int j = 0; j < filter.ksize(); ++j)
        for (int i = 0; i < filter.ksize(); ++i) {
            const std::int32_t tap = filter.tap(i, j) / factor;
            const std::int32_t low = ((tap + 128) & 255) - 128;
            const std::int32_t high = (tap - low) / 256;
            if (high < -128 || high > 127)
                throw Unsupported(
                    "The packed kernel takes taps from -32768 to 32639; the filter '" +
                    filter.name() + "' has one of " + std::to_string(tap) + ".");
            if (high != 0) digits = 2;
            const DirectPlace at = direct_place(filter.ksize(), j);
            const auto put = [&](unsigned& word, std::int32_t digit) {
                word |= (static_cast<unsigned>(digit) & 255U) << (8 * at.byte);
            };
            put(taps.digits[0][at.word][i], low);
            put(taps.digits[1][at.word][i], high);
        }
    return taps;
}

}  // namespace convolab::cuda_shared
