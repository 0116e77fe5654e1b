// Copyright (c) 2026 The Convolab authors
// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

namespace convolab {

/// a / b rounded up, for a >= 0 and b > 0.
constexpr std::int64_t ceil_divide(std::int64_t a, std::int64_t b) { return (a + b - 1) / b; }

/// The least multiple of `to` that is not below n.
constexpr std::int64_t round_up(std::int64_t n, std::int64_t to) { return ceil_divide(n, to) * to; }

}  // namespace convolab
