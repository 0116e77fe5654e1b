// SPDX-License-Identifier: MIT
// half and half2: conversions and arithmetic. Each operation is made in a wider type and rounded
// once, to nearest, as on the GPU.
#pragma once

#include "cuda_runtime.h"
#include "half_bits.hpp"

struct __half {
    std::uint16_t bits;

    __half() = default;
    __half(float value) : bits(cuda_on_cpu::half_bits(value)) {}
    __half(double value) : bits(cuda_on_cpu::half_bits(value)) {}
    __half(int value) : bits(cuda_on_cpu::half_bits(value)) {}
    operator float() const { return cuda_on_cpu::half_value(bits); }
};
using half = __half;

struct alignas(4) __half2 {
    __half x, y;
    __half2() = default;
    __half2(__half low, __half high) : x(low), y(high) {}
};
using half2 = __half2;

// ---- conversions
inline __half __float2half(float a) { return a; }
inline __half __float2half_rn(float a) { return a; }
inline __half __double2half(double a) { return a; }
inline __half __int2half_rn(int a) { return a; }
inline __half __uint2half_rn(unsigned a) { return static_cast<double>(a); }
inline float __half2float(__half a) { return a; }
inline int __half2int_rn(__half a) { return __float2int_rn(a); }
inline int __half2int_rz(__half a) { return __float2int_rz(a); }
inline unsigned short __half_as_ushort(__half a) { return a.bits; }
inline short __half_as_short(__half a) { return static_cast<short>(a.bits); }
inline __half __ushort_as_half(unsigned short bits) {
    __half a;
    a.bits = bits;
    return a;
}
inline __half2 make_half2(__half low, __half high) { return {low, high}; }
inline __half2 __halves2half2(__half low, __half high) { return {low, high}; }
inline __half2 __half2half2(__half a) { return {a, a}; }
inline __half2 __float2half2_rn(float a) { return {a, a}; }
inline __half2 __floats2half2_rn(float low, float high) { return {low, high}; }
inline __half2 __float22half2_rn(float2 a) { return {a.x, a.y}; }
inline float2 __half22float2(__half2 a) { return {a.x, a.y}; }
inline float __low2float(__half2 a) { return a.x; }
inline float __high2float(__half2 a) { return a.y; }
inline __half __low2half(__half2 a) { return a.x; }
inline __half __high2half(__half2 a) { return a.y; }
inline __half2 __lowhigh2highlow(__half2 a) { return {a.y, a.x}; }

// ---- arithmetic. A float holds the exact sum, product or enough of the quotient of two halves.
#define CUDA_ON_CPU_HALF_OPERATOR(sign, name, name2)                                            \
    inline __half operator sign(__half a, __half b) { return float{a} sign float{b}; }          \
    inline __half& operator sign##=(__half& a, __half b) { return a = a sign b; }               \
    inline __half2 operator sign(__half2 a, __half2 b) { return {a.x sign b.x, a.y sign b.y}; } \
    inline __half2& operator sign##=(__half2& a, __half2 b) { return a = a sign b; }            \
    inline __half name(__half a, __half b) { return a sign b; }                                 \
    inline __half2 name2(__half2 a, __half2 b) { return a sign b; }
CUDA_ON_CPU_HALF_OPERATOR(+, __hadd, __hadd2)
CUDA_ON_CPU_HALF_OPERATOR(-, __hsub, __hsub2)
CUDA_ON_CPU_HALF_OPERATOR(*, __hmul, __hmul2)
CUDA_ON_CPU_HALF_OPERATOR(/, __hdiv, __h2div)
#undef CUDA_ON_CPU_HALF_OPERATOR

inline __half __hfma(__half a, __half b, __half c) {
    return double{float{a}} * double{float{b}} + double{float{c}};
}
inline __half2 __hfma2(__half2 a, __half2 b, __half2 c) {
    return {__hfma(a.x, b.x, c.x), __hfma(a.y, b.y, c.y)};
}
inline __half operator-(__half a) { return -float{a}; }
inline __half2 operator-(__half2 a) { return {-a.x, -a.y}; }
inline __half __hneg(__half a) { return -a; }
inline __half2 __hneg2(__half2 a) { return -a; }
inline __half __habs(__half a) { return std::abs(float{a}); }
inline __half2 __habs2(__half2 a) { return {__habs(a.x), __habs(a.y)}; }
inline __half __hmin(__half a, __half b) { return std::fmin(float{a}, float{b}); }
inline __half __hmax(__half a, __half b) { return std::fmax(float{a}, float{b}); }
inline __half2 __hmin2(__half2 a, __half2 b) { return {__hmin(a.x, b.x), __hmin(a.y, b.y)}; }
inline __half2 __hmax2(__half2 a, __half2 b) { return {__hmax(a.x, b.x), __hmax(a.y, b.y)}; }

#define CUDA_ON_CPU_HALF_COMPARISON(sign, name)                                      \
    inline bool operator sign(__half a, __half b) { return float{a} sign float{b}; } \
    inline bool name(__half a, __half b) { return a sign b; }
CUDA_ON_CPU_HALF_COMPARISON(==, __heq)
CUDA_ON_CPU_HALF_COMPARISON(!=, __hne)
CUDA_ON_CPU_HALF_COMPARISON(<, __hlt)
CUDA_ON_CPU_HALF_COMPARISON(<=, __hle)
CUDA_ON_CPU_HALF_COMPARISON(>, __hgt)
CUDA_ON_CPU_HALF_COMPARISON(>=, __hge)
#undef CUDA_ON_CPU_HALF_COMPARISON
inline bool __hisnan(__half a) { return std::isnan(float{a}); }

#define CUDA_ON_CPU_HALF_FUNCTION(name, function)                          \
    inline __half h##name(__half a) { return function(double{float{a}}); } \
    inline __half2 h2##name(__half2 a) { return {h##name(a.x), h##name(a.y)}; }
CUDA_ON_CPU_HALF_FUNCTION(sqrt, std::sqrt)
CUDA_ON_CPU_HALF_FUNCTION(rsqrt, rsqrt)
CUDA_ON_CPU_HALF_FUNCTION(rcp, 1.0 /)
CUDA_ON_CPU_HALF_FUNCTION(exp, std::exp)
CUDA_ON_CPU_HALF_FUNCTION(log, std::log)
CUDA_ON_CPU_HALF_FUNCTION(sin, std::sin)
CUDA_ON_CPU_HALF_FUNCTION(cos, std::cos)
CUDA_ON_CPU_HALF_FUNCTION(floor, std::floor)
CUDA_ON_CPU_HALF_FUNCTION(ceil, std::ceil)
CUDA_ON_CPU_HALF_FUNCTION(rint, std::nearbyint)
#undef CUDA_ON_CPU_HALF_FUNCTION
