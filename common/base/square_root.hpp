// Copyright (c) 2026 The Convolab authors
// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

namespace convolab {

/// The largest integer whose square is at most n, for n from 0 to 2^62 - 1.
constexpr std::int64_t square_root(std::int64_t n) {
    std::int64_t root = 0;
    for (std::int64_t bit = std::int64_t{1} << 30; bit > 0; bit >>= 1)
        if ((root + bit) * (root + bit) <= n) root += bit;
    return root;
}

}  // namespace convolab
