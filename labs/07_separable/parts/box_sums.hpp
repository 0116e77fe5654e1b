// SPDX-License-Identifier: MIT
// The sums of one lane of `running_sums`: down the columns under its bytes, then along the row.
// A word holds two column sums: those under bytes 0 and 2 of four, or under bytes 1 and 3.
//
// Bytes are counted from the lane's first one; those of the lanes on its left are negative. The
// lane's output at x is the sum of bytes x - kLeft to x - kRight, a pixel apart. It is computed for
// the last pixel first, then from right to left. If the window of the last pixel covers most of a
// lane's bytes, that lane sends their sum, and the sums of single columns only if they are needed
// besides.
#pragma once

#include "common/cuda/bit_division.hpp"
#include "common/cuda/packed_arithmetic.hpp"
#include "labs/07_separable/parts/box_lanes.hpp"

namespace convolab::separable {

struct BoxTap {
    unsigned plus[2], minus[2];  ///< for dp2a: the low and the high half times the tap, 8 bits
    BitDivision division;
};

template <class Lanes>
class BoxSums {
    using Bytes = typename Lanes::Bytes;
    static constexpr int channels = Lanes::kChannels, kLaneBytes = Lanes::kLaneBytes;

  public:
    __device__ explicit BoxSums(const BoxTap& tap) : tap_(&tap) {
#pragma unroll
        for (int w = 0; w < kWords; ++w) line_[0][kHaloWords + w] = line_[1][kHaloWords + w] = 0;
    }

    /// Down the columns: the row that enters, the one that leaves. Each half of a word is a sum.
    __device__ __forceinline__ void add(const Bytes& entering) { exchange({}, entering); }
    __device__ __forceinline__ void exchange(const Bytes& leaving, const Bytes& entering) {
#pragma unroll
        for (int w = 0; w < kWords; ++w) {
            line_[0][kHaloWords + w] += even(entering.words[w]) - even(leaving.words[w]);
            line_[1][kHaloWords + w] += odd(entering.words[w]) - odd(leaving.words[w]);
        }
    }

    /// Along the row.
    __device__ __forceinline__ Bytes emit() {
        gather();
        int window_sums[kLaneBytes];
#pragma unroll
        for (int first = 0; first < kLaneBytes; first += kRunBytes) {
            int sums[channels];
            const int last = first + kRunBytes - channels;  // pixel
            sum_windows(last, sums);
#pragma unroll
            for (int x = first + kRunBytes - 1; x >= first; --x) {
                int& sum = sums[channel(x - Lanes::kShift)];
                if (x < last) {
                    sum = add(x - kLeft, tap_->plus, sum);
                    sum = add(x + channels - kRight, tap_->minus, sum);
                }
                window_sums[x] = sum;
            }
        }
        Bytes out;
#pragma unroll
        for (int w = 0; w < kWords; ++w) {
            const int* four = window_sums + 4 * w;
            const int pairs[4] = {four[0], four[2], four[1], four[3]};
            out.words[w] = tap_->division.four_bytes(pairs);
        }
        return out;
    }

  private:
    static constexpr int kLeft = Lanes::kShift + Lanes::kReach,
                         kRight = Lanes::kShift - Lanes::kReach;
    static constexpr int kRunBytes = channels == 1 ? 12 : kLaneBytes;  // from one pixel on
    static constexpr int kWords = Lanes::kLaneWords;
    static constexpr int kLanes = (kLeft + kLaneBytes - 1) / kLaneBytes;  // on the left
    static constexpr int kHaloWords = kLanes * kWords;  // most are never used: no registers
    /// Words with the same channels in their halves are added before they are taken apart. `kind`
    /// is the channel of the low half.
    static constexpr int kKinds = channels == 4 ? 2 : channels;
    static constexpr int kColumnsAtOnce =
        65535 / (255 * Lanes::kKsize);                        // in a half, without overflow
    static constexpr int kLaneColumns = 2 * kWords / kKinds;  // in a half of a lane's sum

    static __device__ __forceinline__ unsigned even(unsigned word) { return word & 0x00ff00ffU; }
    static __device__ __forceinline__ unsigned odd(unsigned word) {
        return __byte_perm(word, 0, 0x4341);
    }

    static __device__ constexpr int channel(int x) { return (x + 8 * kLaneBytes) % channels; }
    static __device__ constexpr int kind(int x) { return channel(x) % kKinds; }
    /// Whether byte x is in a window of the pixel that begins at byte `last`.
    static __device__ constexpr bool in_window(int x, int last) {
        return last - kLeft <= x && x < last + channels - kRight;
    }
    /// Whether a lane, 0 or less, sends the sum of its bytes for that pixel.
    static __device__ constexpr bool sends_sum(int lane, int last) {
        const int begin = lane * kLaneBytes, end = begin + kLaneBytes;
        const int from = last - kLeft, to = last + channels - kRight;
        const int covered = (to < end ? to : end) - (from > begin ? from : begin);
        return channels > 1 && 3 * covered > 2 * kLaneBytes;
    }
    static __device__ constexpr bool is_used(int x) {
        const int lane = (x + kLanes * kLaneBytes) / kLaneBytes - kLanes;
        bool used = false;
        for (int first = 0; first < kLaneBytes; first += kRunBytes) {
            const int last = first + kRunBytes - channels;
            used = used || in_window(x, last) != sends_sum(lane, last) ||
                   (first - kLeft <= x && x < last - kLeft) ||
                   (first + channels - kRight <= x && x < last + channels - kRight);
        }
        return used;
    }

    /// The sums of the lanes on the left.
    __device__ __forceinline__ void gather() {
#pragma unroll
        for (int i = 0; i < kHaloWords; ++i) {
            const int x = 4 * (i - kHaloWords);
#pragma unroll
            for (int odd = 0; odd < 2; ++odd)
                if (is_used(x + odd) || is_used(x + odd + 2))
                    line_[odd][i] = __shfl_up_sync(~0U, line_[odd][kHaloWords + i % kWords],
                                                   kLanes - i / kWords);
        }
        if constexpr (channels > 1) gather_lane_sums();
    }
    __device__ __forceinline__ void gather_lane_sums() {
#pragma unroll
        for (unsigned& sum : lane_sums_[kLanes]) sum = 0;
#pragma unroll
        for (int x = 0; x < kLaneBytes; ++x)
            if (x % 4 < 2) lane_sums_[kLanes][kind(x)] += word(x);
#pragma unroll
        for (int lane = 0; lane < kLanes; ++lane)
            if (sends_sum(lane - kLanes, kLaneBytes - channels))
#pragma unroll
                for (int k = 0; k < kKinds; ++k)
                    lane_sums_[lane][k] = __shfl_up_sync(~0U, lane_sums_[kLanes][k], kLanes - lane);
    }

    /// The word that has the column sum under byte x in a half.
    __device__ __forceinline__ unsigned word(int x) const {
        const int at = x + 4 * kHaloWords;
        return line_[at % 2][at / 4];
    }
    /// sum + the column sum under byte x, times a tap.
    __device__ __forceinline__ int add(int x, const unsigned (&tap)[2], int sum) const {
        return dp2a_signed(word(x), tap[(x + 4 * kHaloWords) % 4 / 2], sum);
    }

    /// The sums of the windows of the pixel that begins at byte `last`.
    __device__ __forceinline__ void sum_windows(int last, int (&sums)[channels]) const {
#pragma unroll
        for (int& sum : sums) sum = 0;
#pragma unroll
        for (int k = 0; k < kKinds; ++k) {
            int &low = sums[k], &high = sums[channel(k + 2)];
            unsigned pairs = 0;
            int count = 0;
            const auto flush = [&] {
                low = dp2a_signed(pairs, tap_->plus[0], low);
                high = dp2a_signed(pairs, tap_->plus[1], high);
                pairs = 0;
                count = 0;
            };
            const auto add_pairs = [&](unsigned sums_of_two, int columns) {
                if (count + columns > kColumnsAtOnce) flush();
                pairs += sums_of_two;
                count += columns;
            };
#pragma unroll
            for (int lane = -kLanes; lane <= 0; ++lane) {
                const bool all = sends_sum(lane, last);
                if (all) add_pairs(lane_sums_[kLanes + lane][k], kLaneColumns);
#pragma unroll
                for (int i = 0; i < kLaneBytes; ++i) {
                    const int x = lane * kLaneBytes + i;
                    if (i % 4 >= 2 || kind(x) != k) continue;
                    const bool has_low = in_window(x, last), has_high = in_window(x + 2, last);
                    if (!all && has_low && has_high) {
                        add_pairs(word(x), 1);
                        continue;
                    }
                    if (has_low != all) low = add(x, all ? tap_->minus : tap_->plus, low);
                    if (has_high != all) high = add(x + 2, all ? tap_->minus : tap_->plus, high);
                }
            }
            if (count > 0) flush();
        }
    }

    const BoxTap* tap_;
    unsigned line_[2][kHaloWords + kWords];  // [odd]: column sums, this lane's at the end
    unsigned lane_sums_[kLanes + 1][kKinds];
};

}  // namespace convolab::separable
