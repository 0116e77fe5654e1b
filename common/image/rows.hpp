// Copyright (c) 2026 The Convolab authors
// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

namespace convolab {

/// Rows of interleaved bytes in anybody's memory.
template <class Byte>
struct Rows {
    Byte* first;         ///< of row 0
    std::int64_t pitch;  ///< bytes from one row to the next

    Byte* row(std::int64_t y) const { return first + y * pitch; }
};
using InRows = Rows<const std::uint8_t>;
using OutRows = Rows<std::uint8_t>;

}  // namespace convolab
