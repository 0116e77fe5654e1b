// SPDX-License-Identifier: MIT
// 64 pixels at a time with AVX-512 BW: comparing 64 bytes gives 64 bits, and 192 bits are the
// changed samples of 64 pixels. The bits are joined by shifts; the bits of the reds are written out
// as bytes.
#include "common/noise_map/mark_rows.hpp"

#ifdef __x86_64__
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"  // of g++ 12's own header (its bug 105593)
#endif
#include <immintrin.h>

#include "common/noise_map/change.hpp"

// Only what stands between push and pop may use these instructions, and nothing of it leaves this
// file.
#ifdef __clang__
#pragma clang attribute push(__attribute__((target("avx512f,avx512bw"))), apply_to = function)
#else
#pragma GCC push_options
#pragma GCC target("avx512f,avx512bw")
#endif

namespace convolab::noise {
namespace {

/// Bit i: byte i changed.
std::uint64_t changes(const std::uint8_t* a, const std::uint8_t* b) {
    const __m512i x = _mm512_loadu_si512(a), y = _mm512_loadu_si512(b);
    const __m512i distance = _mm512_or_si512(_mm512_subs_epu8(x, y), _mm512_subs_epu8(y, x));
    return _mm512_cmpgt_epu8_mask(distance, _mm512_set1_epi8(kThreshold));
}

/// Each bit joined with the two behind it; `next`: the 64 bits that follow.
std::uint64_t with_followers(std::uint64_t bits, std::uint64_t next) {
    return bits | (bits >> 1 | next << 63) | (bits >> 2 | next << 62);
}

}  // namespace

void mark_rows_avx512(const std::uint8_t* previous, const std::uint8_t* current, std::uint8_t* out,
                      std::int64_t pixels) {
    // Every third bit, beginning with bit 0, 2 and 1: where the reds are in three words of bits.
    constexpr std::uint64_t kReds[3] = {0x9249249249249249, 0x4924924924924924, 0x2492492492492492};
    const __m512i red = _mm512_set1_epi8(-1);
    for (; pixels >= 64; pixels -= 64, previous += 192, current += 192, out += 192) {
        std::uint64_t bits[4] = {};
        for (int i = 0; i < 3; ++i) bits[i] = changes(previous + 64 * i, current + 64 * i);
        for (int i = 0; i < 3; ++i)
            _mm512_storeu_si512(
                out + 64 * i,
                _mm512_maskz_mov_epi8(with_followers(bits[i], bits[i + 1]) & kReds[i], red));
    }
    mark_rows_plain(previous, current, out, pixels);
}

}  // namespace convolab::noise

#ifdef __clang__
#pragma clang attribute pop
#else
#pragma GCC pop_options
#endif
#endif
