// SPDX-License-Identifier: MIT
// Arithmetic whose name says how it rounds, as interval arithmetic needs it: rn to nearest, rd
// down, ru up, rz towards zero. intrinsics.hpp has the functions of floats that round to nearest.
#pragma once

#include <cfenv>
#include <cmath>
#if defined(__x86_64__)
#include <xmmintrin.h>
#endif

namespace cuda_on_cpu {

/// The compiler must not move the operation out of the two calls that set the rounding.
template <class T>
inline T hidden(T value) {
    asm volatile("" : "+m"(value) : : "memory");
    return value;
}
template <class Operation, class T, class... Rest>
inline T in_direction(int direction, Operation operation, T a, Rest... rest) {
    if (direction == FE_TONEAREST) return hidden(operation(a, rest...));
#if defined(__x86_64__)  // fesetround also sets the older unit's rounding, which takes far longer
    const unsigned before = _mm_getcsr();
    _mm_setcsr(before | static_cast<unsigned>(direction) << 3);
    const T result = hidden(operation(hidden(a), hidden(rest)...));
    _mm_setcsr(before);
#else
    std::fesetround(direction);
    const T result = hidden(operation(hidden(a), hidden(rest)...));
    std::fesetround(FE_TONEAREST);
#endif
    return result;
}

}  // namespace cuda_on_cpu

#define CUDA_ON_CPU_FUSED(name, T, direction)                                     \
    inline T name(T a, T b, T c) {                                                \
        return cuda_on_cpu::in_direction(                                         \
            direction, [](T x, T y, T z) { return std::fma(x, y, z); }, a, b, c); \
    }
#define CUDA_ON_CPU_ROUNDED(letter, T, suffix, direction)     \
    inline T __##letter##add_##suffix(T a, T b) {             \
        return cuda_on_cpu::in_direction(                     \
            direction, [](T x, T y) { return x + y; }, a, b); \
    }                                                         \
    inline T __##letter##sub_##suffix(T a, T b) {             \
        return cuda_on_cpu::in_direction(                     \
            direction, [](T x, T y) { return x - y; }, a, b); \
    }                                                         \
    inline T __##letter##mul_##suffix(T a, T b) {             \
        return cuda_on_cpu::in_direction(                     \
            direction, [](T x, T y) { return x * y; }, a, b); \
    }                                                         \
    inline T __##letter##div_##suffix(T a, T b) {             \
        return cuda_on_cpu::in_direction(                     \
            direction, [](T x, T y) { return x / y; }, a, b); \
    }                                                         \
    inline T __##letter##sqrt_##suffix(T a) {                 \
        return cuda_on_cpu::in_direction(                     \
            direction, [](T x) { return std::sqrt(x); }, a);  \
    }                                                         \
    inline T __##letter##rcp_##suffix(T a) {                  \
        return cuda_on_cpu::in_direction(                     \
            direction, [](T x) { return T(1) / x; }, a);      \
    }

CUDA_ON_CPU_ROUNDED(f, float, rd, FE_DOWNWARD)
CUDA_ON_CPU_ROUNDED(f, float, ru, FE_UPWARD)
CUDA_ON_CPU_ROUNDED(f, float, rz, FE_TOWARDZERO)
CUDA_ON_CPU_ROUNDED(d, double, rn, FE_TONEAREST)
CUDA_ON_CPU_ROUNDED(d, double, rd, FE_DOWNWARD)
CUDA_ON_CPU_ROUNDED(d, double, ru, FE_UPWARD)
CUDA_ON_CPU_ROUNDED(d, double, rz, FE_TOWARDZERO)
#undef CUDA_ON_CPU_ROUNDED
CUDA_ON_CPU_FUSED(__fmaf_rd, float, FE_DOWNWARD)
CUDA_ON_CPU_FUSED(__fmaf_ru, float, FE_UPWARD)
CUDA_ON_CPU_FUSED(__fmaf_rz, float, FE_TOWARDZERO)
CUDA_ON_CPU_FUSED(__fma_rd, double, FE_DOWNWARD)
CUDA_ON_CPU_FUSED(__fma_ru, double, FE_UPWARD)
CUDA_ON_CPU_FUSED(__fma_rz, double, FE_TOWARDZERO)
// ieee: with denormal numbers, which are never flushed to 0 here
CUDA_ON_CPU_FUSED(__fmaf_ieee_rn, float, FE_TONEAREST)
CUDA_ON_CPU_FUSED(__fmaf_ieee_rd, float, FE_DOWNWARD)
CUDA_ON_CPU_FUSED(__fmaf_ieee_ru, float, FE_UPWARD)
CUDA_ON_CPU_FUSED(__fmaf_ieee_rz, float, FE_TOWARDZERO)
#undef CUDA_ON_CPU_FUSED
