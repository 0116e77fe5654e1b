// SPDX-License-Identifier: MIT
// RowFilter's kernels with vectors of 64 bytes, for the two AVX-512 sets: ROW_FILTER_KERNELS is the function
// that gives them. Included once by each of avx512.cpp and avx512vnni.cpp, so it has no include
// guard, and everything in it is private to that file.
#include "common/row_filter/plan.hpp"

#ifdef __x86_64__
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"  // of g++ 12's own header (its bug 105593)
#endif
#include <immintrin.h>

// Only the code between push and pop may use these instructions (avx2.cpp says why).
#if defined(__clang__) && defined(ROW_FILTER_VNNI)
#pragma clang attribute push(                                                   \
    __attribute__((target("avx2,fma,avx512f,avx512bw,avx512vbmi,avx512vnni"))), \
    apply_to = function)
#elif defined(__clang__)
#pragma clang attribute push(__attribute__((target("avx2,fma,avx512f,avx512bw"))), \
                             apply_to = function)
#else
#pragma GCC push_options
#ifdef ROW_FILTER_VNNI
#pragma GCC target("avx2,fma,avx512f,avx512bw,avx512vbmi,avx512vnni")
#else
#pragma GCC target("avx2,fma,avx512f,avx512bw")
#endif
#endif

namespace convolab {
namespace {

struct V {
    using Reg = __m512i;
    static constexpr std::int64_t kBytes = 64;
    static constexpr int kRegisters = 32;

    /// In a register: g++ would load it again for the second instruction that wants it.
    static Reg kept(Reg a) {
        asm("" : "+v"(a));
        return a;
    }
    static Reg load(const void* from) { return kept(_mm512_loadu_si512(from)); }
    static void store(void* to, Reg a) { _mm512_storeu_si512(to, a); }
    static void stream(void* to, Reg a) { _mm512_stream_si512(static_cast<Reg*>(to), a); }
    static void fence() { _mm_sfence(); }
    static void fetch(const void* from) {
        _mm_prefetch(static_cast<const char*>(from), _MM_HINT_T0);
    }
    static Reg every_byte(int v) { return _mm512_set1_epi8(static_cast<char>(v)); }
    static Reg every_32(std::int32_t v) { return _mm512_set1_epi32(v); }
    static Reg every_pair(int a, int b) {
        return _mm512_set1_epi16(static_cast<short>(b * 256 + a));
    }
    static Reg low_bytes(Reg a, Reg b) { return _mm512_unpacklo_epi8(a, b); }
    static Reg high_bytes(Reg a, Reg b) { return _mm512_unpackhi_epi8(a, b); }
    static Reg low_words(Reg a, Reg b) { return _mm512_unpacklo_epi16(a, b); }
    static Reg high_words(Reg a, Reg b) { return _mm512_unpackhi_epi16(a, b); }
    static Reg multiply_bytes(Reg u8, Reg s8) { return _mm512_maddubs_epi16(u8, s8); }
    static Reg add16(Reg a, Reg b) { return _mm512_add_epi16(a, b); }
    static Reg shift16_signed(Reg a, int bits) {
        return _mm512_sra_epi16(a, _mm_cvtsi32_si128(bits));
    }
    static Reg shift32(Reg a, int bits) { return _mm512_sra_epi32(a, _mm_cvtsi32_si128(bits)); }
    static Reg scale32(Reg a, float scale, float add) {
        return _mm512_cvttps_epi32(
            _mm512_fmadd_ps(_mm512_cvtepi32_ps(a), _mm512_set1_ps(scale), _mm512_set1_ps(add)));
    }
    /// The upper words of a's and b's 32-bit lanes, in the order that pack32 gives.
    static Reg upper_words(Reg a, Reg b) {
        alignas(64) static constexpr std::int16_t kLanes[] = {
            1,  3,  5,  7,  33, 35, 37, 39, 9,  11, 13, 15, 41, 43, 45, 47,
            17, 19, 21, 23, 49, 51, 53, 55, 25, 27, 29, 31, 57, 59, 61, 63};
        return _mm512_permutex2var_epi16(a, _mm512_load_si512(kLanes), b);
    }
    static Reg pack(Reg a, Reg b) { return _mm512_packus_epi16(a, b); }
    static Reg pack32(Reg a, Reg b) { return _mm512_packs_epi32(a, b); }
#ifdef ROW_FILTER_VNNI
    static Reg multiply_add(Reg sum, Reg a, Reg b) { return _mm512_dpwssd_epi32(sum, a, b); }
    /// The upper bytes of 16-bit lanes, in the order that pack gives.
    static Reg upper_bytes(Reg a, Reg b) {
        alignas(64) static constexpr std::uint8_t kBytesOf[] = {
            1,  3,  5,  7,  9,  11, 13, 15, 65,  67,  69,  71,  73,  75,  77,  79,   //
            17, 19, 21, 23, 25, 27, 29, 31, 81,  83,  85,  87,  89,  91,  93,  95,   //
            33, 35, 37, 39, 41, 43, 45, 47, 97,  99,  101, 103, 105, 107, 109, 111,  //
            49, 51, 53, 55, 57, 59, 61, 63, 113, 115, 117, 119, 121, 123, 125, 127};
        return _mm512_permutex2var_epi8(a, _mm512_load_si512(kBytesOf), b);
    }
#else
    static Reg multiply_add(Reg sum, Reg a, Reg b) {
        return kept(_mm512_add_epi32(sum, _mm512_madd_epi16(a, b)));
    }
    /// The upper bytes of 16-bit lanes, in the order that pack gives.
    static Reg upper_bytes(Reg a, Reg b) {
        return _mm512_packus_epi16(_mm512_srli_epi16(a, 8), _mm512_srli_epi16(b, 8));
    }
#endif
};

}  // namespace
}  // namespace convolab

#include "common/row_filter/find.hpp"

#ifdef __clang__
#pragma clang attribute pop
#else
#pragma GCC pop_options
#endif

namespace convolab {
const Kernels& ROW_FILTER_KERNELS() {
    static constexpr Kernels kKernels{V::kBytes, find_binomial, find_separable, find_direct,
                                      V::fence};
    return kKernels;
}
}  // namespace convolab
#endif
