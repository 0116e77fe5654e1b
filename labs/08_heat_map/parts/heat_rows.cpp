// SPDX-License-Identifier: MIT
#include "labs/08_heat_map/parts/heat_rows.hpp"

#include <algorithm>
#include <cstring>

#include "common/base/isa.hpp"

namespace convolab::heat {

Tables::Tables() : words{}, planes{} {
    const auto colours = all_colours();
    for (std::size_t d = 0; d < colours.size(); ++d) {
        words[d] = to_word(colours[d]);
        for (int c = 0; c < 3; ++c)
            planes[c][d / 128][d % 128] = static_cast<std::uint8_t>(words[d] >> 8 * c);
    }
}

/// For each block of pixels, the first loop computes the differences of all bytes; the compiler
/// turns it into SIMD. The second loop adds up those of a pixel and copies four bytes of the table.
/// The next pixel overwrites the fourth.
void heat_rows_plain(const Tables& tables, const std::uint8_t* previous,
                     const std::uint8_t* current, std::uint8_t* out, std::int64_t pixels) {
    constexpr std::int64_t kBlock = 256;
    std::uint8_t change[3 * kBlock];
    for (std::int64_t n = 0; pixels > 0; pixels -= n) {
        n = std::min(pixels, kBlock);
        for (std::int64_t i = 0; i < 3 * n; ++i)
            change[i] = static_cast<std::uint8_t>(std::max(previous[i], current[i]) -
                                                  std::min(previous[i], current[i]));
        const auto colour = [&](std::int64_t i) {
            return &tables.words[static_cast<std::size_t>(change[3 * i] + change[3 * i + 1] +
                                                          change[3 * i + 2])];
        };
        for (std::int64_t i = 0; i < n - 1; ++i) std::memcpy(out + 3 * i, colour(i), 4);
        std::memcpy(out + 3 * (n - 1), colour(n - 1), 3);
        previous += 3 * n;
        current += 3 * n;
        out += 3 * n;
    }
}

HeatRows fastest_heat_rows() {
#ifdef __x86_64__
    if (choose_isa() == Isa::avx512vnni) return heat_rows_avx512;
#endif
    return heat_rows_plain;
}

}  // namespace convolab::heat
