// SPDX-License-Identifier: MIT
// A fast heat map for one core, with a table instead of sines. The program chooses the instructions
// when it runs (common/base/isa.hpp).
#pragma once

#include <array>
#include <cstdint>

#include "labs/08_heat_map/parts/colours.hpp"

namespace convolab::heat {

/// The colours, in the two forms that the loops read.
struct Tables {
    Tables();
    std::array<std::uint32_t, kDifferences> words;  ///< to_word() of each colour
    alignas(64) std::uint8_t planes[3][6][128];     ///< [channel][difference / 128][% 128]
};

/// For RGB bytes: `previous`, `current` and `out` have 3 `pixels` bytes each, and do not overlap.
using HeatRows = void (*)(const Tables& tables, const std::uint8_t* previous,
                          const std::uint8_t* current, std::uint8_t* out, std::int64_t pixels);

/// The fastest function for this machine. Throws Error if choose_isa() does.
HeatRows fastest_heat_rows();

void heat_rows_plain(const Tables& tables, const std::uint8_t* previous,
                     const std::uint8_t* current, std::uint8_t* out, std::int64_t pixels);
void heat_rows_avx512(const Tables& tables, const std::uint8_t* previous,
                      const std::uint8_t* current, std::uint8_t* out, std::int64_t pixels);

}  // namespace convolab::heat
