// Copyright (c) 2026 The Convolab authors
// SPDX-License-Identifier: MIT
//
// The body of `packed` for every other separable filter with 8-bit taps: dot products of four bytes
// down the columns, and of two 16-bit sums along the row. All sums are exact.
//
//   down     one word for each byte of the lane: the samples of the last four rows. One permutation
//            adds a new row; one dp4a multiplies four taps. K = 7 and 9 keep two words.
//            The sums fit in 16 bits: 255 x 256 unsigned, 255 x 128 signed.
//   along    dp2a takes two sums, a pixel apart, as the halves of one word. The sums of the halo also
//            come from the neighbouring lanes two per word.
//
// 5x5: 3 + 4 instructions per byte, and 1 to round and pack; 9x9: 5 + 6 + 1.
#pragma once

#include "common/cuda/packed_arithmetic.hpp"
#include "common/cuda/packed_convolver.hpp"
#include "labs/07_separable/parts/column_window.hpp"
#include "labs/07_separable/parts/dot_taps.hpp"

namespace convolab::separable {

/// Taps 0..255, divisor 65536, and no sum exceeds 255 x 65536: the result is byte 2 of the sum.
struct Over65536 {
    static __device__ int bias(const DotTaps&) { return 0; }
    static __device__ int dot4(unsigned samples, unsigned taps, int c) {
        return dot4_unsigned(samples, taps, c);
    }
    static __device__ int dot2(unsigned sums, unsigned taps, int c) {
        return dot2_unsigned(sums, taps, c);
    }
    static __device__ unsigned finish(const int (&sums)[4], const DotTaps&) {
        return pack_bytes_2(sums);
    }
};

/// Taps -128..127, any divisor: a multiplication divides, two comparisons clamp.
struct OverAny {
    static __device__ int bias(const DotTaps& taps) { return taps.bias; }
    static __device__ int dot4(unsigned samples, unsigned taps, int c) {
        return dot4_signed(samples, taps, c);
    }
    static __device__ int dot2(unsigned sums, unsigned taps, int c) {
        return dot2_signed(sums, taps, c);
    }
    static __device__ unsigned finish(const int (&sums)[4], const DotTaps& taps) {
        int bytes[4];
        UNROLL
        for (int i = 0; i < 4; ++i) bytes[i] = taps.division.byte(sums[i]);
        return pack_bytes_0(bytes);
    }
};

template <int channels, int ksize, class Arithmetic>
class DotBody {
  public:
    static constexpr int kChannels = channels;
    static constexpr int kKsize = ksize;
    static constexpr int kHalo = 0;
    // The fastest on an H200, of 2 to 6 rows ahead, bands of 2 to 64 rows, 4 to 6 blocks.
    static constexpr int kRowsAhead = ksize == 9 ? 3 : 4;
    static constexpr int kBandOfMany = ksize >= 7 ? 20 : 12;
    static constexpr int kBlocksPerMultiprocessor = ksize == 9 ? 4 : ksize == 3 ? 6 : 5;
    using Taps = DotTaps;

    __device__ explicit DotBody(const Taps& taps) : taps_(taps) {}

    __device__ __forceinline__ void feed(const unsigned (&words)[kLaneWords]) {
        UNROLL
        for (int i = 0; i < kLaneBytes; ++i) {
            unsigned rows[Window::kWords];
            windows_[i].push(words[i / 4], i % 4, rows);
            int sum = Arithmetic::bias(taps_);
            UNROLL
            for (int w = 0; w < Window::kWords; ++w)
                sum = Arithmetic::dot4(rows[w], taps_.down[w], sum);
            line_[kHaloWords + i] = static_cast<unsigned>(sum);
        }
    }

    __device__ __forceinline__ void emit(unsigned (&out)[kLaneWords]) {
        gather();
        UNROLL
        for (int w = 0; w < kLaneWords; ++w) {
            int sums[4];
            UNROLL
            for (int i = 0; i < 4; ++i) sums[i] = along_row(4 * w + i);
            out[w] = Arithmetic::finish(sums, taps_);
        }
    }

  private:
    using Window = ColumnWindow<ksize>;
    static constexpr int kRadius = ksize / 2;
    static constexpr int kReach = channels * kRadius;  // bytes to the farthest neighbour
    static constexpr int kHaloWords = (kRadius + 1) / 2 * channels;  // of each neighbour

    /// Where the sum under byte x of the lane is in line_; -kReach <= x < 16 + kReach. Each sum of this
    /// lane has a word; the sums of a neighbour come in pairs, a pixel apart.
    struct Place {
        int word, half;
    };
    static __device__ constexpr Place place(int x) {
        if (0 <= x && x < kLaneBytes) return {kHaloWords + x, 0};
        const int at = x < 0 ? x + kReach : x - kLaneBytes;  // in the halo
        const int pixel = at / channels;
        const int side = x < 0 ? 0 : kHaloWords + kLaneBytes;
        return {side + pixel / 2 * channels + at % channels, pixel % 2};
    }

    __device__ __forceinline__ void gather() {
        UNROLL
        for (int i = 0; i < kHaloWords; ++i) {
            const int first = i / channels * 2 * channels + i % channels;  // byte of the halo
            const bool two = first + channels < kReach;
            line_[i] = __shfl_up_sync(~0U, own_pair(kLaneBytes - kReach + first, two), 1);
            line_[kHaloWords + kLaneBytes + i] = __shfl_down_sync(~0U, own_pair(first, two), 1);
        }
    }
    __device__ __forceinline__ unsigned own_pair(int x, bool two) const {
        const unsigned first = line_[kHaloWords + x];
        return two ? __byte_perm(first, line_[kHaloWords + x + (two ? channels : 0)], 0x5410)
                   : first;
    }

    /// The sums under bytes x and x + channels, in one word.
    __device__ __forceinline__ unsigned pair(int x) const {
        const Place a = place(x);
        const Place b = place(x + channels);
        if (a.word == b.word) return line_[a.word];
        return __byte_perm(line_[a.word], line_[b.word],
                           (a.half ? 0x32U : 0x10U) | (b.half ? 0x7600U : 0x5400U));
    }

    __device__ __forceinline__ int along_row(int x) const {
        int sum = taps_.start;
        UNROLL
        for (int k = 0; k + 1 < ksize; k += 2)
            sum = Arithmetic::dot2(pair(x - kReach + k * channels), taps_.along[k / 2], sum);
        const Place last = place(x + kReach);
        const unsigned tap = taps_.along[kRadius];
        return Arithmetic::dot2(line_[last.word], last.half ? tap << 8 : tap, sum);
    }

    const Taps& taps_;
    Window windows_[kLaneBytes];
    unsigned line_[kHaloWords + kLaneBytes + kHaloWords];
};

}  // namespace convolab::separable
