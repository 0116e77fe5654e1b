// Copyright (c) 2026 The Convolab authors
// SPDX-License-Identifier: MIT
//
// The sums of one lane of `running_sums`: down the columns under its bytes, then along the row.
// A word holds two column sums: those under bytes 0 and 2 of four, or under bytes 1 and 3.
#pragma once

#include "common/cuda/packed_arithmetic.hpp"
#include "labs/07_separable/parts/row_history.hpp"

namespace convolab::separable {

/// Division: MeanDivision, or FloatDivision if there is none (mean_division.hpp).
template <class Division>
struct BoxTap {
    unsigned plus[2], minus[2];  ///< for dp2a: the low and the high half times the tap, 8 bits
    Division division;
};

template <int channels, int ksize, class Division>
class BoxSums {
  public:
    static constexpr int kReach = channels * (ksize / 2);  // bytes to the farthest neighbour

    __device__ explicit BoxSums(const BoxTap<Division>& tap) : tap_(&tap) {
#pragma unroll
        for (int w = 0; w < kLineWords; ++w) line_[0][w] = line_[1][w] = 0;
    }

    /// Down the columns: the row that enters, the one that leaves. Each half of a word is a sum.
    __device__ __forceinline__ void add_row(const uint2* s_row) {
        for_each_word(s_row, [&](unsigned& even, unsigned& odd, unsigned word) {
            even += word & 0x00ff00ffU;
            odd += __byte_perm(word, 0, 0x4341);
        });
    }
    __device__ __forceinline__ void subtract_row(const uint2* s_row) {
        for_each_word(s_row, [&](unsigned& even, unsigned& odd, unsigned word) {
            even -= word & 0x00ff00ffU;
            odd -= __byte_perm(word, 0, 0x4341);
        });
    }

    struct Output {
        unsigned words[kBoxLaneBytes / 4];
        __device__ __forceinline__ void put(uint2* s_out) const {
#pragma unroll
            for (int v = 0; v < kWords / 2; ++v)
                s_out[v] = make_uint2(words[2 * v], words[2 * v + 1]);
        }
    };
    /// Along the row.
    __device__ __forceinline__ Output emit() {
        gather();
        Output out;
        int bytes[kBoxLaneBytes];
#pragma unroll
        for (int first = 0; first < kBoxLaneBytes; first += kRunBytes) {
            int sums[channels];
            sum_windows(first, sums);
#pragma unroll
            for (int x = first; x < first + kRunBytes; ++x) {
                int& sum = sums[(x - first) % channels];
                if (x >= first + channels) {
                    sum = add(x + kReach, tap_->plus, sum);
                    sum = add(x - channels - kReach, tap_->minus, sum);
                }
                bytes[x] = static_cast<int>(tap_->division.byte(sum));
            }
        }
#pragma unroll
        for (int w = 0; w < kWords; ++w)
            out.words[w] =
                pack_bytes_0({bytes[4 * w], bytes[4 * w + 1], bytes[4 * w + 2], bytes[4 * w + 3]});
        return out;
    }

  private:
    static constexpr int kRunBytes = channels == 1 ? 12 : kBoxLaneBytes;  // from one first pixel on
    static constexpr int kWords = kBoxLaneBytes / 4;
    static constexpr int kHaloWords = (kReach + 3) / 4;
    static constexpr int kLineWords = kHaloWords + kWords + kHaloWords;
    static constexpr int kPairsAtOnce = 65535 / (255 * ksize);  // without overflow

    /// change(sums under bytes 0 and 2, sums under bytes 1 and 3, word)
    template <class Change>
    __device__ __forceinline__ void for_each_word(const uint2* s_row, const Change& change) {
#pragma unroll
        for (int v = 0; v < kWords / 2; ++v) {
            const uint2 two = s_row[v];
            const int w = kHaloWords + 2 * v;
            change(line_[0][w], line_[1][w], two.x);
            change(line_[0][w + 1], line_[1][w + 1], two.y);
        }
    }

    /// The sums of this lane between those of its neighbours.
    __device__ __forceinline__ void gather() {
#pragma unroll
        for (int odd = 0; odd < 2; ++odd) {
#pragma unroll
            for (int w = 0; w < kHaloWords; ++w) {
                const int left = kHaloWords + kWords - 1 - w % kWords,
                          right = kHaloWords + w % kWords;
                const int lanes = w / kWords + 1;  // away
                line_[odd][kHaloWords - 1 - w] = __shfl_up_sync(~0U, line_[odd][left], lanes);
                line_[odd][kHaloWords + kWords + w] =
                    __shfl_down_sync(~0U, line_[odd][right], lanes);
            }
        }
    }

    /// sum + the column sum under byte x of the lane, times a tap.
    __device__ __forceinline__ int add(int x, const unsigned (&tap)[2], int sum) const {
        const int at = x + 4 * kHaloWords;
        return dp2a_signed(line_[at % 2][at / 4], tap[at % 4 / 2], sum);
    }

    /// Whether byte x is in the window of its channel's first pixel, whose first byte is `first`.
    static __device__ constexpr bool in_window(int x, int first) {
        const int c = channel(x, first);
        return first + c - kReach <= x && x <= first + c + kReach;
    }
    static __device__ constexpr int channel(int x, int first) {
        return (x - first + 64 * channels) % channels;
    }

    /// The sums of the windows of a pixel. Words `period` apart belong to the same channels, so
    /// they are added before they are taken apart.
    __device__ __forceinline__ void sum_windows(int first, int (&sums)[channels]) const {
        constexpr int kPeriod = channels == 3 ? 3 : 1;
#pragma unroll
        for (int& sum : sums) sum = tap_->division.start;
#pragma unroll
        for (int odd = 0; odd < 2; ++odd) {
#pragma unroll
            for (int begin = 0; begin < kPeriod; ++begin) {
                unsigned pairs = 0;
                int count = 0;
                const int x0 = 4 * (begin - kHaloWords) + odd;
                int& low = sums[channel(x0, first)];
                int& high = sums[channel(x0 + 2, first)];
#pragma unroll
                for (int w = begin; w < kLineWords; w += kPeriod) {
                    const int x = 4 * (w - kHaloWords) + odd;
                    const bool has_low = in_window(x, first), has_high = in_window(x + 2, first);
                    if (has_low && has_high) {
                        pairs += line_[odd][w];
                        if (++count == kPairsAtOnce) {
                            low = dp2a_signed(pairs, tap_->plus[0], low);
                            high = dp2a_signed(pairs, tap_->plus[1], high);
                            pairs = 0;
                            count = 0;
                        }
                    } else if (has_low) {
                        low = dp2a_signed(line_[odd][w], tap_->plus[0], low);
                    } else if (has_high) {
                        high = dp2a_signed(line_[odd][w], tap_->plus[1], high);
                    }
                }
                if (count > 0) {
                    low = dp2a_signed(pairs, tap_->plus[0], low);
                    high = dp2a_signed(pairs, tap_->plus[1], high);
                }
            }
        }
    }

    const BoxTap<Division>* tap_;
    unsigned line_[2][kLineWords];  // [odd]: column sums of this lane and of its neighbours
};

}  // namespace convolab::separable
