// Copyright (c) 2026 The Convolab authors
// SPDX-License-Identifier: MIT
//
// CUDA's scalar device functions: arithmetic with a named rounding, conversions, bits, cached
// loads. Results are the GPU's bit for bit, except the approximate ones (__expf, __sinf,
// __fdividef, ...), which are more exact here.
#pragma once

#include <bit>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <ctime>
#include <limits>

namespace cuda_on_cpu {

/// The value as it is now: the compiler cannot merge its computation with what follows into a fused
/// multiply-add, which CUDA's __fmul_rn and __fadd_rn rule out.
inline float rounded(float value) {
#if defined(__x86_64__)
    asm("" : "+x"(value));
#elif defined(__aarch64__)
    asm("" : "+w"(value));
#endif
    return value;
}
/// As the GPU converts: NaN gives 0, what is too large the nearest integer there is.
template <class Integer, class Real>
inline Integer saturating(Real value) {
    using Limits = std::numeric_limits<Integer>;
    if (std::isnan(value)) return 0;
    if (value <= static_cast<Real>(Limits::min())) return Limits::min();
    if (value >= static_cast<Real>(Limits::max())) return Limits::max();
    return static_cast<Integer>(value);
}

}  // namespace cuda_on_cpu

// ---- arithmetic
// ----------------------------------------------------------------------------------
inline float __fadd_rn(float a, float b) { return cuda_on_cpu::rounded(a + b); }
inline float __fsub_rn(float a, float b) { return cuda_on_cpu::rounded(a - b); }
inline float __fmul_rn(float a, float b) { return cuda_on_cpu::rounded(a * b); }
inline float __fdiv_rn(float a, float b) { return cuda_on_cpu::rounded(a / b); }
inline float __frcp_rn(float a) { return cuda_on_cpu::rounded(1.0F / a); }
inline float __fsqrt_rn(float a) { return cuda_on_cpu::rounded(std::sqrt(a)); }
inline float __fmaf_rn(float a, float b, float c) { return std::fma(a, b, c); }
inline double __fma_rn(double a, double b, double c) { return std::fma(a, b, c); }
inline float __fdividef(float a, float b) { return a / b; }
inline float fdividef(float a, float b) { return a / b; }
inline float rsqrtf(float a) { return 1.0F / std::sqrt(a); }
inline float __frsqrt_rn(float a) { return static_cast<float>(1.0 / std::sqrt(double{a})); }
inline float __expf(float a) { return std::exp(a); }
inline float __logf(float a) { return std::log(a); }
inline float __log2f(float a) { return std::log2(a); }
inline float __powf(float a, float b) { return std::pow(a, b); }
inline float __log10f(float a) { return std::log10(a); }
inline float __exp10f(float a) { return std::pow(10.0F, a); }
inline float __tanf(float a) { return std::tan(a); }
inline void __sincosf(float a, float* sine, float* cosine) {
    *sine = std::sin(a);
    *cosine = std::cos(a);
}
inline double rsqrt(double a) { return 1.0 / std::sqrt(a); }
inline float __sinf(float a) { return std::sin(a); }
inline float __cosf(float a) { return std::cos(a); }
/// 0..1; NaN gives 0.
inline float __saturatef(float a) { return a >= 1.0F ? 1.0F : a > 0.0F ? a : 0.0F; }

#if !defined(__GLIBC_PREREQ) || !__GLIBC_PREREQ(2, 41)
// sin(pi a) and cos(pi a); glibc has them from 2.41 on.
inline float sinpif(float a) {
    return static_cast<float>(std::sin(3.14159265358979323846 * std::fmod(double{a}, 2.0)));
}
inline float cospif(float a) {
    return static_cast<float>(std::cos(3.14159265358979323846 * std::fmod(double{a}, 2.0)));
}
#endif

// CUDA's min and max at global scope, for the pairs of types that CUDA has.
inline int min(int a, int b) { return a < b ? a : b; }
inline unsigned min(unsigned a, unsigned b) { return a < b ? a : b; }
inline unsigned min(int a, unsigned b) { return min(static_cast<unsigned>(a), b); }
inline unsigned min(unsigned a, int b) { return min(a, static_cast<unsigned>(b)); }
inline long min(long a, long b) { return a < b ? a : b; }
inline unsigned long min(unsigned long a, unsigned long b) { return a < b ? a : b; }
inline long long min(long long a, long long b) { return a < b ? a : b; }
inline unsigned long long min(unsigned long long a, unsigned long long b) { return a < b ? a : b; }
inline float min(float a, float b) { return std::fmin(a, b); }
inline double min(double a, double b) { return std::fmin(a, b); }
inline double min(float a, double b) { return std::fmin(double{a}, b); }
inline double min(double a, float b) { return std::fmin(a, double{b}); }
inline int max(int a, int b) { return a > b ? a : b; }
inline unsigned max(unsigned a, unsigned b) { return a > b ? a : b; }
inline unsigned max(int a, unsigned b) { return max(static_cast<unsigned>(a), b); }
inline unsigned max(unsigned a, int b) { return max(a, static_cast<unsigned>(b)); }
inline long max(long a, long b) { return a > b ? a : b; }
inline unsigned long max(unsigned long a, unsigned long b) { return a > b ? a : b; }
inline long long max(long long a, long long b) { return a > b ? a : b; }
inline unsigned long long max(unsigned long long a, unsigned long long b) { return a > b ? a : b; }
inline float max(float a, float b) { return std::fmax(a, b); }
inline double max(double a, double b) { return std::fmax(a, b); }
inline double max(float a, double b) { return std::fmax(double{a}, b); }
inline double max(double a, float b) { return std::fmax(a, double{b}); }

inline unsigned umin(unsigned a, unsigned b) { return min(a, b); }
inline unsigned umax(unsigned a, unsigned b) { return max(a, b); }
inline int __mul24(int a, int b) {
    return static_cast<int>(static_cast<unsigned>(a << 8 >> 8) *
                            static_cast<unsigned>(b << 8 >> 8));
}
inline unsigned __umul24(unsigned a, unsigned b) { return (a & 0xffffff) * (b & 0xffffff); }
inline int __mulhi(int a, int b) {
    return static_cast<int>((static_cast<std::int64_t>(a) * b) >> 32);
}
inline unsigned __umulhi(unsigned a, unsigned b) {
    return static_cast<unsigned>((static_cast<std::uint64_t>(a) * b) >> 32);
}
/// |a - b| + c
inline unsigned __sad(int a, int b, unsigned c) {
    return (a > b ? static_cast<unsigned>(a) - static_cast<unsigned>(b)
                  : static_cast<unsigned>(b) - static_cast<unsigned>(a)) +
           c;
}
inline unsigned __usad(unsigned a, unsigned b, unsigned c) { return (a > b ? a - b : b - a) + c; }

// ---- conversions
// --------------------------------------------------------------------------------- rn: nearest,
// ties to even; rd: down; ru: up; rz: towards zero.
inline int __float2int_rn(float a) { return cuda_on_cpu::saturating<int>(std::nearbyint(a)); }
inline int __float2int_rd(float a) { return cuda_on_cpu::saturating<int>(std::floor(a)); }
inline int __float2int_ru(float a) { return cuda_on_cpu::saturating<int>(std::ceil(a)); }
inline int __float2int_rz(float a) { return cuda_on_cpu::saturating<int>(a); }
inline unsigned __float2uint_rn(float a) {
    return cuda_on_cpu::saturating<unsigned>(std::nearbyint(a));
}
inline unsigned __float2uint_rd(float a) {
    return cuda_on_cpu::saturating<unsigned>(std::floor(a));
}
inline unsigned __float2uint_ru(float a) { return cuda_on_cpu::saturating<unsigned>(std::ceil(a)); }
inline unsigned __float2uint_rz(float a) { return cuda_on_cpu::saturating<unsigned>(a); }
inline float __int2float_rn(int a) { return static_cast<float>(a); }
inline float __uint2float_rn(unsigned a) { return static_cast<float>(a); }
inline int __float_as_int(float a) { return std::bit_cast<int>(a); }
inline unsigned __float_as_uint(float a) { return std::bit_cast<unsigned>(a); }
inline float __int_as_float(int a) { return std::bit_cast<float>(a); }
inline float __uint_as_float(unsigned a) { return std::bit_cast<float>(a); }
inline int __double2int_rn(double a) { return cuda_on_cpu::saturating<int>(std::nearbyint(a)); }
inline int __double2int_rd(double a) { return cuda_on_cpu::saturating<int>(std::floor(a)); }
inline int __double2int_ru(double a) { return cuda_on_cpu::saturating<int>(std::ceil(a)); }
inline int __double2int_rz(double a) { return cuda_on_cpu::saturating<int>(a); }
inline float __double2float_rn(double a) { return static_cast<float>(a); }
inline double __int2double_rn(int a) { return a; }
inline long long __double_as_longlong(double a) { return std::bit_cast<long long>(a); }
inline double __longlong_as_double(long long a) { return std::bit_cast<double>(a); }

// ---- bits
// ----------------------------------------------------------------------------------------
inline int __popc(unsigned a) { return std::popcount(a); }
inline int __popcll(unsigned long long a) { return std::popcount(a); }
inline int __clz(int a) { return std::countl_zero(static_cast<unsigned>(a)); }
inline int __clzll(long long a) { return std::countl_zero(static_cast<unsigned long long>(a)); }
/// The number of the lowest set bit, from 1; 0 where there is none.
inline int __ffs(int a) { return __builtin_ffs(a); }
inline int __ffsll(long long a) { return __builtin_ffsll(a); }
inline unsigned __brev(unsigned a) {
    unsigned result = 0;
    for (int bit = 0; bit < 32; ++bit) result |= (a >> bit & 1U) << (31 - bit);
    return result;
}
/// The high (l) or low (r) word of high:low shifted by shift & 31.
inline unsigned __funnelshift_l(unsigned low, unsigned high, unsigned shift) {
    return static_cast<unsigned>(((std::uint64_t{high} << 32 | low) << (shift & 31)) >> 32);
}
inline unsigned __funnelshift_r(unsigned low, unsigned high, unsigned shift) {
    return static_cast<unsigned>((std::uint64_t{high} << 32 | low) >> (shift & 31));
}

// ---- loads and stores with a cache hint, and time
// --------------------------------------------------
// clang-format off
template <class T> inline T __ldg(const T* p) { return *p; }
template <class T> inline T __ldca(const T* p) { return *p; }
template <class T> inline T __ldcg(const T* p) { return *p; }
template <class T> inline T __ldcs(const T* p) { return *p; }
template <class T> inline void __stcg(T* p, T value) { *p = value; }
template <class T> inline void __stcs(T* p, T value) { *p = value; }
template <class T> inline void __stwt(T* p, T value) { *p = value; }
// clang-format on
/// Nanoseconds of the host: a kernel that waits for a time must come to its end. It says nothing
/// about a GPU. clock() is the host's own.
inline long long clock64() {
    timespec now{};
    clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec * 1000000000LL + now.tv_nsec;
}
/// The other threads of the block go on: one of them may do what this one waits for.
inline void __nanosleep(unsigned, const char* file = __builtin_FILE(),
                        int line = __builtin_LINE()) {
    cuda_on_cpu::sleep(file, line);
}
