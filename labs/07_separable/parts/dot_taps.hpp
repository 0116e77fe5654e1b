// Copyright (c) 2026 The Convolab authors
// SPDX-License-Identifier: MIT
//
// The taps of a separable filter as packed_dots.hpp uses them: 8 bits each, four or two per word; and
// the numbers that turn a sum into a byte.
#pragma once

#include <cstdint>
#include <optional>

#include "common/cuda/fast_division.hpp"
#include "labs/07_separable/parts/column_window.hpp"
#include "labs/07_separable/parts/reduced_taps.hpp"

namespace convolab::separable {

struct DotTaps {
    unsigned down[3];   ///< four taps each, in ColumnWindow's order
    unsigned along[5];  ///< two taps each, the last alone
    int bias;           ///< initial value of a column sum, so that none is negative
    int start;          ///< initial value of a sum: half the divisor, less the bias of the columns
    FastDivision division;  ///< by the divisor
};

/// Whether the column sums fit in 16 bits, and the taps between these two limits.
inline bool fits(const SeparableTaps& taps, std::int32_t minimum, std::int32_t maximum) {
    return smallest(taps) >= minimum && largest(taps) <= maximum &&
           255 * weight(taps.column) <= 65535;
}

/// The same filter with divisor 65536, where that is possible with unsigned taps.
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

/// column, row: 3, 5, 7 or 9 taps of 8 bits.
inline DotTaps dot_taps(const SeparableTaps& taps) {
    const auto ksize = static_cast<int>(taps.column.size());
    const auto byte = [](std::int32_t tap) { return static_cast<unsigned>(tap) & 255U; };
    DotTaps dots{};
    put_column(taps.column, dots.down);
    for (int k = 0; k < ksize; ++k) dots.along[k / 2] |= byte(taps.row[k]) << (k % 2 * 8);
    for (const std::int32_t tap : taps.column) dots.bias -= 255 * std::min(tap, 0);
    dots.start =
        taps.divisor / 2 - dots.bias * std::accumulate(taps.row.begin(), taps.row.end(), 0);
    dots.division = fast_division(taps.divisor);
    return dots;
}

}  // namespace convolab::separable
