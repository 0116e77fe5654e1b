// SPDX-License-Identifier: MIT
// RowFilter's kernels with vectors of 32 bytes: AVX2 and FMA.
#include "common/row_filter/plan.hpp"

#ifdef __x86_64__
#include <immintrin.h>

// Only the code between push and pop may use these instructions, and all of it is private to this
// file. A function that other files share, such as a template of the standard library, must not be
// instantiated here: the linker could keep this copy for a machine that cannot run it.
#ifdef __clang__
#pragma clang attribute push(__attribute__((target("avx2,fma"))), apply_to = function)
#else
#pragma GCC push_options
#pragma GCC target("avx2,fma")
#endif

namespace convolab {
namespace {

struct V {
    using Reg = __m256i;
    static constexpr std::int64_t kBytes = 32;
    static constexpr int kRegisters = 16;

    /// Keeps it in a register. Otherwise g++ would load it, or add the terms of a sum, in another
    /// order, which needs more registers than there are.
    static Reg kept(Reg a) {
        asm("" : "+x"(a));
        return a;
    }
    static Reg load(const void* from) {
        return kept(_mm256_loadu_si256(static_cast<const Reg*>(from)));
    }
    static void store(void* to, Reg a) { _mm256_storeu_si256(static_cast<Reg*>(to), a); }
    static void stream(void* to, Reg a) { _mm256_stream_si256(static_cast<Reg*>(to), a); }
    static void fence() { _mm_sfence(); }
    static void fetch(const void* from) {
        _mm_prefetch(static_cast<const char*>(from), _MM_HINT_T0);
    }
    static Reg every_byte(int v) { return _mm256_set1_epi8(static_cast<char>(v)); }
    static Reg every_32(std::int32_t v) { return _mm256_set1_epi32(v); }
    static Reg every_pair(int a, int b) {
        return _mm256_set1_epi16(static_cast<short>(b * 256 + a));
    }
    static Reg low_bytes(Reg a, Reg b) { return _mm256_unpacklo_epi8(a, b); }
    static Reg high_bytes(Reg a, Reg b) { return _mm256_unpackhi_epi8(a, b); }
    static Reg low_words(Reg a, Reg b) { return _mm256_unpacklo_epi16(a, b); }
    static Reg high_words(Reg a, Reg b) { return _mm256_unpackhi_epi16(a, b); }
    static Reg multiply_bytes(Reg u8, Reg s8) { return _mm256_maddubs_epi16(u8, s8); }
    static Reg multiply_add(Reg sum, Reg a, Reg b) {
        return kept(_mm256_add_epi32(sum, _mm256_madd_epi16(a, b)));
    }
    static Reg add16(Reg a, Reg b) { return _mm256_add_epi16(a, b); }
    /// The upper bytes of 16-bit lanes, in the order that pack gives.
    static Reg upper_bytes(Reg a, Reg b) {
        return _mm256_packus_epi16(_mm256_srli_epi16(a, 8), _mm256_srli_epi16(b, 8));
    }
    static Reg shift16_signed(Reg a, int bits) {
        return _mm256_sra_epi16(a, _mm_cvtsi32_si128(bits));
    }
    static Reg shift32(Reg a, int bits) { return _mm256_sra_epi32(a, _mm_cvtsi32_si128(bits)); }
    static Reg scale32(Reg a, float scale, float add) {
        return _mm256_cvttps_epi32(
            _mm256_fmadd_ps(_mm256_cvtepi32_ps(a), _mm256_set1_ps(scale), _mm256_set1_ps(add)));
    }
    /// The upper words of 32-bit lanes, in the order that pack32 gives.
    static Reg upper_words(Reg a, Reg b) {
        return _mm256_packs_epi32(_mm256_srai_epi32(a, 16), _mm256_srai_epi32(b, 16));
    }
    static Reg pack(Reg a, Reg b) { return _mm256_packus_epi16(a, b); }
    static Reg pack32(Reg a, Reg b) { return _mm256_packs_epi32(a, b); }
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
const Kernels& avx2_kernels() {
    static constexpr Kernels kKernels{V::kBytes, find_binomial, find_separable, find_direct,
                                      V::fence};
    return kKernels;
}
}  // namespace convolab
#endif
