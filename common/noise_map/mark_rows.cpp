// SPDX-License-Identifier: MIT
#include "common/noise_map/mark_rows.hpp"

#include <algorithm>

#include "common/base/isa.hpp"
#include "common/noise_map/change.hpp"

namespace convolab::noise {

/// In blocks, with loops over bytes that the compiler makes SIMD: 255 for each changed sample; each
/// byte joined with the two behind it; and of that every third byte, a red one.
void mark_rows_plain(const std::uint8_t* previous, const std::uint8_t* current, std::uint8_t* out,
                     std::int64_t pixels) {
    constexpr std::int64_t kBlock = 256;
    std::uint8_t changed[3 * kBlock + 2] = {}, red[3 * kBlock];
    for (std::int64_t i = 0; i < 3 * kBlock; ++i) red[i] = i % 3 == 0 ? 255 : 0;
    for (std::int64_t n = 0; pixels > 0; pixels -= n) {
        n = std::min(pixels, kBlock);
        for (std::int64_t i = 0; i < 3 * n; ++i) {
            const std::uint8_t high = std::max(previous[i], current[i]);
            const std::uint8_t low = std::min(previous[i], current[i]);
            changed[i] = high - low > kThreshold ? 255 : 0;
        }
        for (std::int64_t i = 0; i < 3 * n; ++i)
            out[i] =
                static_cast<std::uint8_t>((changed[i] | changed[i + 1] | changed[i + 2]) & red[i]);
        previous += 3 * n;
        current += 3 * n;
        out += 3 * n;
    }
}

MarkRows fastest_mark_rows() {
#ifdef __x86_64__
    if (choose_isa() >= Isa::avx512) return mark_rows_avx512;
#endif
    return mark_rows_plain;
}

}  // namespace convolab::noise
