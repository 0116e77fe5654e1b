// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

namespace convolab {

/// a / b rounded up, for a >= 0 and b > 0.
constexpr std::int64_t ceil_divide(std::int64_t a, std::int64_t b) { return (a + b - 1) / b; }

/// The least multiple of `to` that is not below n.
constexpr std::int64_t round_up(std::int64_t n, std::int64_t to) { return ceil_divide(n, to) * to; }

/// The largest integer whose square is at most n, for n from 0 to 2^62 - 1.
constexpr std::int64_t square_root(std::int64_t n) {
    std::int64_t root = 0;
    for (std::int64_t bit = std::int64_t{1} << 30; bit > 0; bit >>= 1)
        if ((root + bit) * (root + bit) <= n) root += bit;
    return root;
}

}  // namespace convolab
