// SPDX-License-Identifier: MIT
// CUDA's scalar device functions: arithmetic with a named rounding, bits, cached loads. Results are
// the GPU's bit for bit, except the approximate ones (__expf, __sinf, ...), which are more exact.
#pragma once

#include <bit>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <ctime>

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
inline float __frsqrt_rn(float a) { return static_cast<float>(1.0 / std::sqrt(double{a})); }
inline float __expf(float a) { return std::exp(a); }
inline float __logf(float a) { return std::log(a); }
inline float __log2f(float a) { return std::log2(a); }
inline float __log10f(float a) { return std::log10(a); }
inline float __exp10f(float a) { return std::pow(10.0F, a); }
inline float __tanf(float a) { return std::tan(a); }
inline void __sincosf(float a, float* sine, float* cosine) {
    *sine = std::sin(a);
    *cosine = std::cos(a);
}
inline float __sinf(float a) { return std::sin(a); }
inline float __cosf(float a) { return std::cos(a); }
/// 0..1; NaN gives 0.
inline float __saturatef(float a) { return a >= 1.0F ? 1.0F : a > 0.0F ? a : 0.0F; }

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
inline long long __mul64hi(long long a, long long b) {
    return static_cast<long long>((static_cast<__int128>(a) * b) >> 64);
}
inline unsigned long long __umul64hi(unsigned long long a, unsigned long long b) {
    return static_cast<unsigned long long>((static_cast<unsigned __int128>(a) * b) >> 64);
}
/// The mean of two numbers, down or (r) up.
inline int __hadd(int a, int b) { return static_cast<int>((std::int64_t{a} + b) >> 1); }
inline int __rhadd(int a, int b) { return static_cast<int>((std::int64_t{a} + b + 1) >> 1); }
inline unsigned __uhadd(unsigned a, unsigned b) {
    return static_cast<unsigned>((std::uint64_t{a} + b) >> 1);
}
inline unsigned __urhadd(unsigned a, unsigned b) {
    return static_cast<unsigned>((std::uint64_t{a} + b + 1) >> 1);
}
/// |a - b| + c
inline unsigned __sad(int a, int b, unsigned c) {
    return (a > b ? static_cast<unsigned>(a) - static_cast<unsigned>(b)
                  : static_cast<unsigned>(b) - static_cast<unsigned>(a)) +
           c;
}
inline unsigned __usad(unsigned a, unsigned b, unsigned c) { return (a > b ? a - b : b - a) + c; }

// ---- bits
// ----------------------------------------------------------------------------------------
inline int __popc(unsigned a) { return std::popcount(a); }
inline int __popcll(unsigned long long a) { return std::popcount(a); }
inline int __clz(int a) { return std::countl_zero(static_cast<unsigned>(a)); }
inline int __clzll(long long a) { return std::countl_zero(static_cast<unsigned long long>(a)); }
/// The number of the lowest set bit, from 1; 0 if there is none.
inline int __ffs(int a) { return __builtin_ffs(a); }
inline int __ffsll(long long a) { return __builtin_ffsll(a); }
inline unsigned __brev(unsigned a) {
    unsigned result = 0;
    for (int bit = 0; bit < 32; ++bit) result |= (a >> bit & 1U) << (31 - bit);
    return result;
}
inline unsigned long long __brevll(unsigned long long a) {
    return static_cast<unsigned long long>(__brev(static_cast<unsigned>(a))) << 32 |
           __brev(static_cast<unsigned>(a >> 32));
}
inline unsigned short __nv_bswap16(unsigned short a) { return __builtin_bswap16(a); }
inline unsigned __nv_bswap32(unsigned a) { return __builtin_bswap32(a); }
inline unsigned long long __nv_bswap64(unsigned long long a) { return __builtin_bswap64(a); }
/// The number of the set bit that comes as number |offset| from bit `base` on, upwards or, if
/// `offset` is negative, downwards; 0 asks for bit `base` itself. All ones if there is none.
inline unsigned __fns(unsigned mask, unsigned base, int offset) {
    const unsigned step = offset < 0 ? ~0U : 1U;
    int left = offset == 0 ? 1 : offset < 0 ? -offset : offset;
    for (unsigned bit = base; bit < 32; bit += step) {
        if ((mask >> bit & 1U) != 0 && --left == 0) return bit;
        if (offset == 0) break;
    }
    return ~0U;
}
/// The high (l) or low (r) word of high:low shifted by shift & 31.
inline unsigned __funnelshift_l(unsigned low, unsigned high, unsigned shift) {
    return static_cast<unsigned>(((std::uint64_t{high} << 32 | low) << (shift & 31)) >> 32);
}
inline unsigned __funnelshift_r(unsigned low, unsigned high, unsigned shift) {
    return static_cast<unsigned>((std::uint64_t{high} << 32 | low) >> (shift & 31));
}

/// The same, shifted by at most 32.
inline unsigned __funnelshift_lc(unsigned low, unsigned high, unsigned shift) {
    return shift < 32 ? __funnelshift_l(low, high, shift) : low;
}
inline unsigned __funnelshift_rc(unsigned low, unsigned high, unsigned shift) {
    return shift < 32 ? __funnelshift_r(low, high, shift) : high;
}

// ---- loads and stores with a cache hint, and time
// --------------------------------------------------
// clang-format off
template <class T> inline T __ldg(const T* p) { return *p; }
template <class T> inline T __ldca(const T* p) { return *p; }
// These two see what other threads have written since: a loop may wait so.
template <class T> inline T __ldcg(const T* p) { asm volatile("" : : : "memory"); return *p; }
template <class T> inline T __ldcv(const T* p) { asm volatile("" : : : "memory"); return *p; }
template <class T> inline T __ldcs(const T* p) { return *p; }
template <class T> inline T __ldlu(const T* p) { return *p; }
template <class T> inline void __stwb(T* p, T value) { *p = value; }
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
inline void __nanosleep(unsigned) { cuda_on_cpu::let_others_run(); }
