// SPDX-License-Identifier: MIT
// The taps of a separable filter as `packed` uses them: 8 bits each, four or two per word; and how
// a sum becomes a byte, for two kinds of filters.
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

namespace convolab::separable {

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

}  // namespace convolab::separable
