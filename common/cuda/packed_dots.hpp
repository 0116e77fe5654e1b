// SPDX-License-Identifier: MIT
// The body of `packed` (lab 07) for separable filters of 8-bit taps: dp4a down the columns, dp2a
// along the rows. The taps, four or two per word; how a sum becomes a byte, for two kinds of
// filters; the body.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <numeric>
#include <optional>
#include <vector>

#include "common/convolution/separable_taps.hpp"
#include "common/cuda/bit_division.hpp"
#include "common/cuda/packed_arithmetic.hpp"
#include "common/cuda/packed_kernel.hpp"

namespace convolab {

struct DotTaps {
    unsigned down[3];      ///< four taps each, in ColumnWindow's order
    unsigned along[5];     ///< two taps each, the last alone
    int bias;              ///< initial value of a column sum, so that none is negative
    int start;             ///< initial value of a sum: less what the bias of the columns adds
    BitDivision division;  ///< of OverAny
};

/// Sum of |tap|.
inline std::int32_t weight(const std::vector<std::int32_t>& taps) {
    return std::accumulate(taps.begin(), taps.end(), 0,
                           [](std::int32_t sum, std::int32_t tap) { return sum + std::abs(tap); });
}

inline std::int32_t smallest(const SeparableTaps& taps) {
    return std::min(*std::min_element(taps.column.begin(), taps.column.end()),
                    *std::min_element(taps.row.begin(), taps.row.end()));
}
inline std::int32_t largest(const SeparableTaps& taps) {
    return std::max(*std::max_element(taps.column.begin(), taps.column.end()),
                    *std::max_element(taps.row.begin(), taps.row.end()));
}

/// Whether the column sums fit in 16 bits, and the taps between these two limits.
inline bool fits(const SeparableTaps& taps, std::int32_t minimum, std::int32_t maximum) {
    return smallest(taps) >= minimum && largest(taps) <= maximum &&
           255 * weight(taps.column) <= 65535;
}

/// The same filter with divisor 65536, if that is possible with unsigned taps.
inline std::optional<SeparableTaps> over_65536(SeparableTaps taps) {
    if (65536 % taps.divisor != 0 || smallest(taps) < 0) return {};
    if (weight(taps.column) * weight(taps.row) > taps.divisor) return {};  // could exceed 255
    std::int32_t for_row = 65536 / taps.divisor;
    std::int32_t for_column = 1;
    for (; for_row > 1 && 2 * for_column * weight(taps.column) <= 256; for_row /= 2)
        for_column *= 2;
    for (std::int32_t& tap : taps.column) tap *= for_column;
    for (std::int32_t& tap : taps.row) tap *= for_row;
    taps.divisor = 65536;
    if (!fits(taps, 0, 255)) return {};
    return taps;
}

/// What a white image gives, if it is black under negative taps.
inline std::int32_t largest_sum(const SeparableTaps& taps) {
    std::int32_t sum = 0;
    for (const std::int32_t down : taps.column)
        for (const std::int32_t along : taps.row) sum += 255 * std::max(down * along, 0);
    return sum;
}

/// column, row: 3, 5, 7 or 9 taps of 8 bits. start: initial value of a sum.
inline DotTaps dot_taps(const SeparableTaps& taps, int start, BitDivision division) {
    const auto ksize = static_cast<int>(taps.column.size());
    const auto byte = [](std::int32_t tap) { return static_cast<unsigned>(tap) & 255U; };
    DotTaps dots{};
    put_column(taps.column, dots.down);
    for (int k = 0; k < ksize; ++k) dots.along[k / 2] |= byte(taps.row[k]) << (k % 2 * 8);
    for (const std::int32_t tap : taps.column) dots.bias -= 255 * std::min(tap, 0);
    dots.start = start - dots.bias * std::accumulate(taps.row.begin(), taps.row.end(), 0);
    dots.division = division;
    return dots;
}

/// Taps 0..255, divisor 65536, and no sum exceeds 255 x 65536: the result is byte 2 of the sum.
struct Over65536 {
    static __device__ int bias(const DotTaps&) { return 0; }
    static __device__ int dp4a(unsigned samples, unsigned taps, int c) {
        return dp4a_unsigned(samples, taps, c);
    }
    static __device__ int dp2a(unsigned sums, unsigned taps, int c) {
        return dp2a_unsigned(sums, taps, c);
    }
    static __device__ unsigned finish(const int (&sums)[4], const DotTaps&) {
        return pack_bytes_2(sums);
    }
};

/// Taps -128..127, any divisor that has a BitDivision.
struct OverAny {
    static __device__ int bias(const DotTaps& taps) { return taps.bias; }
    static __device__ int dp4a(unsigned samples, unsigned taps, int c) {
        return dp4a_signed(samples, taps, c);
    }
    static __device__ int dp2a(unsigned sums, unsigned taps, int c) {
        return dp2a_signed(sums, taps, c);
    }
    static __device__ unsigned finish(const int (&sums)[4], const DotTaps& taps) {
        const int pairs[4] = {sums[0], sums[2], sums[1], sums[3]};
        return taps.division.four_bytes(pairs);
    }
};

/// Arithmetic: Over65536 or OverAny, dp4a and dp2a without or with signs.
template <int channels, int ksize, class Arithmetic>
class DotBody {
  public:
    static constexpr int kChannels = channels;
    static constexpr int kKsize = ksize;
    static constexpr int kHalo = 0;
    // The fastest on an H200, of 2 to 6 stages, 2 to 64 rows per warp, 4 to 6 blocks.
    static constexpr int kStages = ksize == 9 ? 3 : 4;
    static constexpr int kRowsPerWarp = ksize >= 7 ? 20 : 12;
    static constexpr int kBlocksPerMultiprocessor = ksize == 9 ? 4 : ksize == 3 ? 6 : 5;
    using Taps = DotTaps;

    __device__ explicit DotBody(const Taps& taps) : taps_(taps) {}

    /// The next input row: 16 bytes of this lane. Down the columns, one permutation puts a new
    /// sample into the word of the last four, and one dp4a does four multiply-adds.
    __device__ __forceinline__ void feed(const unsigned (&words)[kLaneWords]) {
#pragma unroll
        for (int i = 0; i < kLaneBytes; ++i) {
            unsigned rows[Window::kWords];
            windows_[i].push(words[i / 4], i % 4, rows);
            int sum = Arithmetic::bias(taps_);
#pragma unroll
            for (int w = 0; w < Window::kWords; ++w)
                sum = Arithmetic::dp4a(rows[w], taps_.down[w], sum);
            line_[kHaloWords + i] = static_cast<unsigned>(sum);
        }
    }

    /// The next output row: along the rows of sums, two multiply-adds per dp2a.
    __device__ __forceinline__ void emit(unsigned (&out)[kLaneWords]) {
        gather();
#pragma unroll
        for (int w = 0; w < kLaneWords; ++w) {
            int sums[4];
#pragma unroll
            for (int i = 0; i < 4; ++i) sums[i] = along_row(4 * w + i);
            out[w] = Arithmetic::finish(sums, taps_);
        }
    }

  private:
    using Window = ColumnWindow<ksize>;
    static constexpr int kRadius = ksize / 2;
    static constexpr int kReach = channels * kRadius;  // bytes to the farthest neighbour
    static constexpr int kHaloWords = (kRadius + 1) / 2 * channels;  // of each neighbour

    /// Where the sum under byte x of the lane is in line_; -kReach <= x < 16 + kReach. Each sum of
    /// this lane takes a word. The sums of a neighbour come in pairs, a pixel apart.
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
#pragma unroll
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
#pragma unroll
        for (int k = 0; k + 1 < ksize; k += 2)
            sum = Arithmetic::dp2a(pair(x - kReach + k * channels), taps_.along[k / 2], sum);
        const Place last = place(x + kReach);
        const unsigned tap = taps_.along[kRadius];
        return Arithmetic::dp2a(line_[last.word], last.half ? tap << 8 : tap, sum);
    }

    const Taps& taps_;
    Window windows_[kLaneBytes];
    unsigned line_[kHaloWords + kLaneBytes + kHaloWords];
};

}  // namespace convolab
