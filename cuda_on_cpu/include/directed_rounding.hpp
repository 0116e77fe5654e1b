// Copyright (c) 2026 The Convolab authors
// SPDX-License-Identifier: MIT
//
// Arithmetic with a rounding of its own, as interval arithmetic needs it: rn nearest, rd down, ru
// up, rz towards zero. intrinsics.hpp has the functions of floats that round to nearest.
#pragma once

#include <cfenv>
#include <cmath>
#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace cuda_on_cpu {

/// The compiler must not move the operation out of the two calls that set the rounding.
template <class T>
inline T hidden(T value) {
    asm volatile("" : "+m"(value) : : "memory");
    return value;
}
template <class T, class Operation>
inline T in_direction(int direction, T a, T b, Operation operation) {
    if (direction == FE_TONEAREST) return hidden(operation(a, b));
#if defined(__x86_64__)  // fesetround also sets the older unit's rounding, which takes far longer
    const unsigned before = _mm_getcsr();
    _mm_setcsr(before | static_cast<unsigned>(direction) << 3);
    const T result = hidden(operation(hidden(a), hidden(b)));
    _mm_setcsr(before);
#else
    std::fesetround(direction);
    const T result = hidden(operation(hidden(a), hidden(b)));
    std::fesetround(FE_TONEAREST);
#endif
    return result;
}

}  // namespace cuda_on_cpu

#define CUDA_ON_CPU_ROUNDED(letter, T, suffix, direction)                                       \
    inline T __##letter##add_##suffix(T a, T b) {                                               \
        return cuda_on_cpu::in_direction(direction, a, b, [](T x, T y) { return x + y; });      \
    }                                                                                           \
    inline T __##letter##sub_##suffix(T a, T b) {                                               \
        return cuda_on_cpu::in_direction(direction, a, b, [](T x, T y) { return x - y; });      \
    }                                                                                           \
    inline T __##letter##mul_##suffix(T a, T b) {                                               \
        return cuda_on_cpu::in_direction(direction, a, b, [](T x, T y) { return x * y; });      \
    }                                                                                           \
    inline T __##letter##div_##suffix(T a, T b) {                                               \
        return cuda_on_cpu::in_direction(direction, a, b, [](T x, T y) { return x / y; });      \
    }                                                                                           \
    inline T __##letter##sqrt_##suffix(T a) {                                                   \
        return cuda_on_cpu::in_direction(direction, a, a, [](T x, T) { return std::sqrt(x); }); \
    }                                                                                           \
    inline T __##letter##rcp_##suffix(T a) {                                                    \
        return cuda_on_cpu::in_direction(direction, a, a, [](T x, T) { return T(1) / x; });     \
    }

CUDA_ON_CPU_ROUNDED(f, float, rd, FE_DOWNWARD)
CUDA_ON_CPU_ROUNDED(f, float, ru, FE_UPWARD)
CUDA_ON_CPU_ROUNDED(f, float, rz, FE_TOWARDZERO)
CUDA_ON_CPU_ROUNDED(d, double, rn, FE_TONEAREST)
CUDA_ON_CPU_ROUNDED(d, double, rd, FE_DOWNWARD)
CUDA_ON_CPU_ROUNDED(d, double, ru, FE_UPWARD)
CUDA_ON_CPU_ROUNDED(d, double, rz, FE_TOWARDZERO)
#undef CUDA_ON_CPU_ROUNDED
