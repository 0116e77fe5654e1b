// Copyright (c) 2026 The Convolab authors
// SPDX-License-Identifier: MIT
//
// RowFilter's kernels with vectors of 64 bytes: AVX-512 F and BW.
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
#pragma clang attribute push(__attribute__((target("avx2,fma,avx512f,avx512bw"))), \
                             apply_to = function)
#else
#pragma GCC push_options
#pragma GCC target("avx2,fma,avx512f,avx512bw")
#endif

#include "common/row_filter/bytes64.hpp"

namespace convolab {
namespace {

struct V : Bytes64 {
    static Reg multiply_add(Reg sum, Reg a, Reg b) {
        return kept(_mm512_add_epi32(sum, _mm512_madd_epi16(a, b)));
    }
    /// The upper bytes of 16-bit lanes, in the order that pack gives.
    static Reg upper_bytes(Reg a, Reg b) {
        return _mm512_packus_epi16(_mm512_srli_epi16(a, 8), _mm512_srli_epi16(b, 8));
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
const Kernels& avx512_kernels() {
    static constexpr Kernels kKernels{V::kBytes, find_binomial, find_separable, find_direct,
                                      V::fence};
    return kKernels;
}
}  // namespace convolab
#endif
