// SPDX-License-Identifier: MIT
// The noise map on one core as fast as we can make it, many pixels at a time. The instructions are
// chosen when the program runs (common/base/isa.hpp).
#pragma once

#include <cstdint>

namespace convolab::noise {

/// RGB bytes; `previous`, `current` and `out` hold 3 `pixels` bytes each and do not overlap.
using MarkRows = void (*)(const std::uint8_t* previous, const std::uint8_t* current,
                          std::uint8_t* out, std::int64_t pixels);

/// The fastest for this machine. Throws Error if choose_isa() does.
MarkRows fastest_mark_rows();

void mark_rows_plain(const std::uint8_t* previous, const std::uint8_t* current, std::uint8_t* out,
                     std::int64_t pixels);
void mark_rows_avx512(const std::uint8_t* previous, const std::uint8_t* current, std::uint8_t* out,
                      std::int64_t pixels);

}  // namespace convolab::noise
