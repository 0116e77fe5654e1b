// Copyright (c) 2026 The Convolab authors
// SPDX-License-Identifier: MIT
//
// RowFilter's kernels with vectors of 64 bytes: AVX-512 F, BW, VNNI, whose multiply-add adds to a
// third operand, and VBMI, which takes any bytes of two vectors: each one instruction for two or
// three.
#include "common/row_filter/plan.hpp"

#ifdef __x86_64__
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"  // of g++ 12's own header (its bug 105593)
#endif
#include <immintrin.h>

// Only the code between push and pop may use these instructions, and all of it is private to this
// file. A function that other files share, such as a template of the standard library, must not be
// instantiated here: the linker could keep this copy for a machine that cannot run it.
#ifdef __clang__
#pragma clang attribute push(                                                   \
    __attribute__((target("avx2,fma,avx512f,avx512bw,avx512vbmi,avx512vnni"))), \
    apply_to = function)
#else
#pragma GCC push_options
#pragma GCC target("avx2,fma,avx512f,avx512bw,avx512vbmi,avx512vnni")
#endif

#include "common/row_filter/bytes64.hpp"

namespace convolab {
namespace {

struct V : Bytes64 {
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
const Kernels& avx512vnni_kernels() {
    static constexpr Kernels kKernels{V::kBytes, find_binomial, find_separable, find_direct,
                                      V::fence};
    return kKernels;
}
}  // namespace convolab
#endif
