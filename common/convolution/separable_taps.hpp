// SPDX-License-Identifier: MIT
// A filter as a column and a row of taps, as small as possible. The Gaussian of side 5 is
// (16 64 96 64 16) x (16 64 96 64 16) / 65536 = (1 4 6 4 1) x (1 4 6 4 1) / 256; the sums of the
// second form fit in 16 bits.
#pragma once

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <utility>
#include <vector>

#include "common/base/error.hpp"
#include "common/convolution/filter.hpp"

namespace convolab {

struct SeparableTaps {
    std::vector<std::int32_t> column, row;
    std::int32_t divisor = 1;
};

/// The taps as the filter has them. Throws Unsupported for a filter that is not an outer product.
inline SeparableTaps taps_of(const Filter& filter) {
    auto product = filter.outer_product();
    if (!product)
        throw Unsupported("The filter '" + filter.name() +
                          "' is not the outer product of a column and a row.");
    return {std::move(product->column), std::move(product->row), filter.divisor()};
}

/// The column without a common factor. What of that factor does not cancel with the divisor goes to
/// the row.
inline SeparableTaps reduced(SeparableTaps taps) {
    const std::int32_t of_column = std::max(common_factor(taps.column), 1);
    const std::int32_t of_row = std::max(common_factor(taps.row), 1);
    const std::int32_t of_all = std::gcd(of_column * of_row, taps.divisor);
    for (std::int32_t& tap : taps.column) tap /= of_column;
    for (std::int32_t& tap : taps.row) tap = tap / of_row * (of_column * of_row / of_all);
    taps.divisor /= of_all;
    return taps;
}

/// Whether the taps are the binomial coefficients, 1 2 1 or 1 4 6 4 1, in both directions.
inline bool is_binomial(const SeparableTaps& taps) {
    const auto is = [&taps](const std::vector<std::int32_t>& line, std::int32_t divisor) {
        return taps.column == line && taps.row == line && taps.divisor == divisor;
    };
    return is({1, 2, 1}, 16) || is({1, 4, 6, 4, 1}, 256);
}

}  // namespace convolab
