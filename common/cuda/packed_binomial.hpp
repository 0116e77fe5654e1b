// SPDX-License-Identifier: MIT
// The body of `packed` for the binomial filters, (1 2 1) and (1 4 6 4 1) in both directions,
// computed in 16-bit halves of 32-bit words: two samples per instruction.
//
//   bytes of a word   b3 b2 b1 b0    even = 0 b2 0 b0     odd = 0 b3 0 b1
//
// No sum exceeds 16 bits: 256 x 255 + 128 < 65536. Down the columns the old rows are not stored,
// only the sums that they have entered so far. A new row x finishes the sum of the output four rows
// above, a0 + x; the other sums move up: a0 = a1 + 4x, a1 = a2 + 6x, a2 = a3 + 4x, a3 = x.
// Along the row the neighbours of a sample are 1, 3 or 4 bytes away, in this lane or the next. The
// pair of bytes s and s + 2 is a word that exists already, or the inner halves of two words.
//
// A row of 512 bytes costs a warp 8 unpackings, 64 additions and multiply-adds, 14 permutations, 8
// shuffles and 4 packings: 98 instructions.
#pragma once

#include "common/cuda/packed_kernel.hpp"

namespace convolab {

/// large: image and output together exceed the L2 cache.
template <int channels, int ksize, bool large>
class BinomialBody {
  public:
    static constexpr int kChannels = channels;
    static constexpr int kKsize = ksize;
    static constexpr int kHalo = 0;
    // The fastest on an H200, of 2 to 12 stages, 2 to 96 rows per warp, 5 to 8 blocks.
    static constexpr int kStages = ksize == 5 && large ? 8 : 3;
    static constexpr int kRowsPerWarp = ksize == 5 && large ? 8 : 6;
    static constexpr int kBlocksPerMultiprocessor = ksize == 5 ? 6 : 8;
    struct Taps {};

    __device__ BinomialBody(const Taps&) {
#pragma unroll
        for (auto& sums : begun_) {
#pragma unroll
            for (auto& parity : sums) {
#pragma unroll
                for (unsigned& pair : parity) pair = 0;
            }
        }
    }

    __device__ __forceinline__ void feed(const unsigned (&words)[kLaneWords]) {
#pragma unroll
        for (int w = 0; w < kLaneWords; ++w) {
#pragma unroll
            for (int odd = 0; odd < 2; ++odd) {
                const unsigned x = __byte_perm(words[w], 0, odd ? 0x4341 : 0x4240);
                sums_[odd][w] = begun_[0][odd][w] + x;
#pragma unroll
                for (int k = 0; k + 2 < ksize; ++k)
                    begun_[k][odd][w] = begun_[k + 1][odd][w] + tap(k + 1) * x;
                begun_[ksize - 2][odd][w] = x;
            }
        }
    }

    __device__ __forceinline__ void emit(unsigned (&out)[kLaneWords]) {
#pragma unroll
        for (int odd = 0; odd < 2; ++odd) gather(odd);
#pragma unroll
        for (int w = 0; w < kLaneWords; ++w) {
            const unsigned even = along_row(4 * w);
            const unsigned odd = along_row(4 * w + 1);
            out[w] = __byte_perm(even, odd, 0x7351);  // the high bytes of all four halves
        }
    }

  private:
    static constexpr int kHaloWords = (channels * (ksize / 2) + 3) / 4;  // of each neighbour

    static __device__ constexpr unsigned tap(int k) {
        constexpr unsigned taps[2][5] = {{1, 2, 1, 0, 0}, {1, 4, 6, 4, 1}};
        return taps[ksize == 3 ? 0 : 1][k];
    }

    /// The sums of this lane between those of its neighbours.
    __device__ __forceinline__ void gather(int odd) {
#pragma unroll
        for (int w = 0; w < kLaneWords; ++w) line_[odd][kHaloWords + w] = sums_[odd][w];
#pragma unroll
        for (int w = 0; w < kHaloWords; ++w) {
            line_[odd][w] = __shfl_up_sync(~0U, sums_[odd][kLaneWords - kHaloWords + w], 1);
            line_[odd][kHaloWords + kLaneWords + w] = __shfl_down_sync(~0U, sums_[odd][w], 1);
        }
    }

    /// The sums under bytes s and s + 2 of the lane.
    __device__ __forceinline__ unsigned pair(int s) const {
        const int at = s + 4 * kHaloWords;
        const int word = at / 4;
        const int odd = at % 2;
        if (at % 4 < 2) return line_[odd][word];
        return __byte_perm(line_[odd][word], line_[odd][word + 1], 0x5432);
    }

    /// 256 times the rounded result of bytes s and s + 2.
    __device__ __forceinline__ unsigned along_row(int s) const {
        if constexpr (ksize == 3)  // of 4096: 4 bits up, so that the result is a whole byte
            return 16 * (pair(s - channels) + pair(s + channels) + 0x00080008U + 2 * pair(s));
        else
            return pair(s - 2 * channels) + pair(s + 2 * channels) + 0x00800080U +
                   4 * (pair(s - channels) + pair(s + channels)) + 6 * pair(s);
    }

    unsigned begun_[ksize - 1][2][kLaneWords];  // [k][odd]: sums that need k + 1 more rows
    unsigned sums_[2][kLaneWords];
    unsigned line_[2][kHaloWords + kLaneWords + kHaloWords];
};

}  // namespace convolab
