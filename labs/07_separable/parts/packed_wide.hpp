// Copyright (c) 2026 The Convolab authors
// SPDX-License-Identifier: MIT
//
// The body of `packed` for separable filters whose taps have more than 8 bits. Each tap of the column
// is three signed digits of 8 bits. So the sum down a column is three dot products of bytes, added with
// the weights 65536, 256 and 1. Along the row the sums have up to 24 bits, so there each tap takes one
// multiply-add.
#pragma once

#include <algorithm>
#include <vector>

#include "common/cuda/fast_division.hpp"
#include "common/cuda/packed_arithmetic.hpp"
#include "common/cuda/packed_convolver.hpp"
#include "labs/07_separable/parts/column_window.hpp"
#include "labs/07_separable/parts/reduced_taps.hpp"

namespace convolab::separable {

inline constexpr int kDigits = 3;

struct WideTaps {
    unsigned down[kDigits][3];  ///< in ColumnWindow's order
    int along[9];
    int start;  ///< half the divisor
    FastDivision division;
};

template <int channels, int ksize>
class WideBody {
  public:
    static constexpr int kChannels = channels;
    static constexpr int kKsize = ksize;
    static constexpr int kHalo = 0;
    static constexpr int kRowsAhead = 4;
    static constexpr int kBandOfMany = 20;
    static constexpr int kBlocksPerMultiprocessor = 4;
    using Taps = WideTaps;

    __device__ explicit WideBody(const Taps& taps) : taps_(taps) {}

    __device__ __forceinline__ void feed(const unsigned (&words)[kLaneWords]) {
        UNROLL
        for (int i = 0; i < kLaneBytes; ++i) {
            unsigned rows[Window::kWords];
            windows_[i].push(words[i / 4], i % 4, rows);
            int sum = 0;
            UNROLL
            for (int digit = kDigits - 1; digit >= 0; --digit) {
                sum *= 256;
                UNROLL
                for (int w = 0; w < Window::kWords; ++w)
                    sum = dot4_signed(rows[w], taps_.down[digit][w], sum);
            }
            line_[kReach + i] = sum;
        }
    }

    __device__ __forceinline__ void emit(unsigned (&out)[kLaneWords]) {
        UNROLL
        for (int i = 0; i < kReach; ++i) {
            line_[i] = __shfl_up_sync(~0U, line_[kLaneBytes + i], 1);
            line_[kReach + kLaneBytes + i] = __shfl_down_sync(~0U, line_[kReach + i], 1);
        }
        UNROLL
        for (int w = 0; w < kLaneWords; ++w) {
            int bytes[4];
            UNROLL
            for (int i = 0; i < 4; ++i) {
                int sum = taps_.start;
                UNROLL
                for (int k = 0; k < ksize; ++k)
                    sum += taps_.along[k] * line_[4 * w + i + k * channels];
                bytes[i] = taps_.division.byte(sum);
            }
            out[w] = pack_bytes_0(bytes);
        }
    }

  private:
    using Window = ColumnWindow<ksize>;
    static constexpr int kReach = channels * (ksize / 2);  // bytes to the farthest neighbour

    const Taps& taps_;
    Window windows_[kLaneBytes];
    int line_[kReach + kLaneBytes + kReach];  // column sums of this lane and of its neighbours
};

inline WideTaps wide_taps(const SeparableTaps& taps) {
    WideTaps wide{};
    std::vector<std::int32_t> rest = taps.column;
    for (auto& down : wide.down) {
        put_column(rest, down);
        for (std::int32_t& tap : rest) tap = (tap - static_cast<std::int8_t>(tap & 255)) / 256;
    }
    std::copy(taps.row.begin(), taps.row.end(), wide.along);
    wide.start = taps.divisor / 2;
    wide.division = fast_division(taps.divisor);
    return wide;
}

}  // namespace convolab::separable
