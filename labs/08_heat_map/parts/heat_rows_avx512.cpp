// SPDX-License-Identifier: MIT
// 64 pixels at a time, with AVX-512 VBMI. Its byte permutations serve two purposes: they regroup
// RGBRGB... into planes, and they look up colours, 64 entries of a table of 128 per instruction.
#include "labs/08_heat_map/parts/heat_rows.hpp"

#ifdef __x86_64__
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"  // in a header of g++ 12 (its bug 105593)
#endif
#include <immintrin.h>

// Only the code between push and pop may use these instructions, and it is not visible outside this
// file.
#ifdef __clang__
#pragma clang attribute push(__attribute__((target("avx512f,avx512bw,avx512vbmi"))), \
                             apply_to = function)
#else
#pragma GCC push_options
#pragma GCC target("avx512f,avx512bw,avx512vbmi")
#endif

namespace convolab::heat {
namespace {

using Bytes = __m512i;

/// The source of each of 64 bytes: one of the 128 bytes of two vectors, or a byte of the third.
struct Regroup {
    alignas(64) std::uint8_t of_two[64], of_third[64];
    std::uint64_t third;  ///< bit i: byte i comes from the third vector

    Bytes operator()(Bytes a, Bytes b, Bytes c) const {
        const Bytes two = _mm512_permutex2var_epi8(a, _mm512_load_si512(of_two), b);
        return _mm512_mask_permutexvar_epi8(two, third, _mm512_load_si512(of_third), c);
    }
};

/// plane[c]: byte i is byte 3 i + c of 192. pixels[v]: byte i is byte 64 v + i of the pixels.
struct Regroups {
    Regroup plane[3] = {}, pixels[3] = {};
    constexpr Regroups() {
        for (int n = 0; n < 3; ++n)
            for (int i = 0; i < 64; ++i) {
                set(plane[n], i, 3 * i + n);
                const int at = 64 * n + i;
                set(pixels[n], i, at % 3 * 64 + at / 3);
            }
    }
    static constexpr void set(Regroup& regroup, int i, int from) {
        if (from < 128) {
            regroup.of_two[i] = static_cast<std::uint8_t>(from);
        } else {
            regroup.of_third[i] = static_cast<std::uint8_t>(from - 128);
            regroup.third |= std::uint64_t{1} << i;
        }
    }
};
constexpr Regroups kRegroups;

Bytes distance(const std::uint8_t* a, const std::uint8_t* b) {
    const Bytes x = _mm512_loadu_si512(a), y = _mm512_loadu_si512(b);
    return _mm512_or_si512(_mm512_subs_epu8(x, y), _mm512_subs_epu8(y, x));
}

/// 64 sums of three bytes, each 0..765.
struct Sums {
    Bytes low;                       ///< modulo 256
    __mmask64 upper_half, one, two;  ///< bit 7 of low; whether 256 or 512 has to be added
};
Sums add(Bytes a, Bytes b, Bytes c) {
    const Bytes ab = _mm512_add_epi8(a, b), abc = _mm512_add_epi8(ab, c);
    const __mmask64 first = _mm512_cmplt_epu8_mask(ab, a), second = _mm512_cmplt_epu8_mask(abc, ab);
    return {abc, _mm512_movepi8_mask(abc), first ^ second, first & second};
}

/// The table's entries for sums from 256 `n` to 256 `n` + 255.
Bytes look_up(const std::uint8_t (*table)[128], int n, const Sums& sums) {
    const auto part = [&](int k) {
        return _mm512_permutex2var_epi8(_mm512_load_si512(table[k]), sums.low,
                                        _mm512_load_si512(table[k] + 64));
    };
    return _mm512_mask_blend_epi8(sums.upper_half, part(2 * n), part(2 * n + 1));
}
Bytes look_up(const std::uint8_t (*table)[128], const Sums& sums) {
    const Bytes low =
        _mm512_mask_blend_epi8(sums.one, look_up(table, 0, sums), look_up(table, 1, sums));
    return _mm512_mask_blend_epi8(sums.two, low, look_up(table, 2, sums));
}

}  // namespace

void heat_rows_avx512(const Tables& tables, const std::uint8_t* previous,
                      const std::uint8_t* current, std::uint8_t* out, std::int64_t pixels) {
    for (; pixels >= 64; pixels -= 64, previous += 192, current += 192, out += 192) {
        Bytes change[3], plane[3], colour[3];
        for (int i = 0; i < 3; ++i) change[i] = distance(previous + 64 * i, current + 64 * i);
        for (int c = 0; c < 3; ++c) plane[c] = kRegroups.plane[c](change[0], change[1], change[2]);
        const Sums sums = add(plane[0], plane[1], plane[2]);
        for (int c = 0; c < 3; ++c) colour[c] = look_up(tables.planes[c], sums);
        for (int i = 0; i < 3; ++i)
            _mm512_storeu_si512(out + 64 * i, kRegroups.pixels[i](colour[0], colour[1], colour[2]));
    }
    heat_rows_plain(tables, previous, current, out, pixels);
}

}  // namespace convolab::heat

#ifdef __clang__
#pragma clang attribute pop
#else
#pragma GCC pop_options
#endif
#endif
