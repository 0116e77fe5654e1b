// SPDX-License-Identifier: MIT
// CUDA's conversions of numbers with a named rounding, and their bits. rn: nearest, ties to even;
// rd: down; ru: up; rz: towards zero.
#pragma once

#include <bit>
#include <cfenv>
#include <cmath>
#include <cstdint>
#include <limits>

namespace cuda_on_cpu {

/// As the GPU converts: NaN gives the highest bit alone, or 0 from a float to 32 bits; what is too
/// large gives the nearest integer there is.
template <class Integer, class Real>
inline Integer saturating(Real value) {
    using Limits = std::numeric_limits<Integer>;
    if (std::isnan(value))
        return sizeof(Integer) == 4 && sizeof(Real) == 4
                   ? Integer{0}
                   : static_cast<Integer>(std::uint64_t{1} << (8 * sizeof(Integer) - 1));
    if (value <= static_cast<Real>(Limits::min())) return Limits::min();
    if (value >= static_cast<Real>(Limits::max())) return Limits::max();
    return static_cast<Integer>(value);
}

/// The value as a float or double. long double has 64 bits for every value and every neighbour.
template <class Real, class From>
inline Real rounded_to(int direction, From value) {
    const Real nearest = static_cast<Real>(value);
    const long double exact = value, got = nearest;
    if (direction == FE_TOWARDZERO) direction = exact < 0 ? FE_UPWARD : FE_DOWNWARD;
    constexpr Real infinity = std::numeric_limits<Real>::infinity();
    if (direction == FE_DOWNWARD && got > exact) return std::nextafter(nearest, -infinity);
    if (direction == FE_UPWARD && got < exact) return std::nextafter(nearest, infinity);
    return nearest;
}

}  // namespace cuda_on_cpu

#define CUDA_ON_CPU_TO_INTEGER(from, Real, to, Integer)             \
    inline Integer __##from##2##to##_rn(Real a) {                   \
        return cuda_on_cpu::saturating<Integer>(std::nearbyint(a)); \
    }                                                               \
    inline Integer __##from##2##to##_rd(Real a) {                   \
        return cuda_on_cpu::saturating<Integer>(std::floor(a));     \
    }                                                               \
    inline Integer __##from##2##to##_ru(Real a) {                   \
        return cuda_on_cpu::saturating<Integer>(std::ceil(a));      \
    }                                                               \
    inline Integer __##from##2##to##_rz(Real a) { return cuda_on_cpu::saturating<Integer>(a); }
CUDA_ON_CPU_TO_INTEGER(float, float, int, int)
CUDA_ON_CPU_TO_INTEGER(float, float, uint, unsigned)
CUDA_ON_CPU_TO_INTEGER(float, float, ll, long long)
CUDA_ON_CPU_TO_INTEGER(float, float, ull, unsigned long long)
CUDA_ON_CPU_TO_INTEGER(double, double, int, int)
CUDA_ON_CPU_TO_INTEGER(double, double, uint, unsigned)
CUDA_ON_CPU_TO_INTEGER(double, double, ll, long long)
CUDA_ON_CPU_TO_INTEGER(double, double, ull, unsigned long long)
#undef CUDA_ON_CPU_TO_INTEGER

#define CUDA_ON_CPU_TO_REAL(from, From, to)                                                        \
    inline to __##from##2##to##_rn(From a) { return static_cast<to>(a); }                          \
    inline to __##from##2##to##_rd(From a) { return cuda_on_cpu::rounded_to<to>(FE_DOWNWARD, a); } \
    inline to __##from##2##to##_ru(From a) { return cuda_on_cpu::rounded_to<to>(FE_UPWARD, a); }   \
    inline to __##from##2##to##_rz(From a) { return cuda_on_cpu::rounded_to<to>(FE_TOWARDZERO, a); }
CUDA_ON_CPU_TO_REAL(int, int, float)
CUDA_ON_CPU_TO_REAL(uint, unsigned, float)
CUDA_ON_CPU_TO_REAL(ll, long long, float)
CUDA_ON_CPU_TO_REAL(ull, unsigned long long, float)
CUDA_ON_CPU_TO_REAL(ll, long long, double)
CUDA_ON_CPU_TO_REAL(ull, unsigned long long, double)
CUDA_ON_CPU_TO_REAL(double, double, float)
#undef CUDA_ON_CPU_TO_REAL
inline double __int2double_rn(int a) { return a; }
inline double __uint2double_rn(unsigned a) { return a; }

// ---- bits
inline int __float_as_int(float a) { return std::bit_cast<int>(a); }
inline unsigned __float_as_uint(float a) { return std::bit_cast<unsigned>(a); }
inline float __int_as_float(int a) { return std::bit_cast<float>(a); }
inline float __uint_as_float(unsigned a) { return std::bit_cast<float>(a); }
inline long long __double_as_longlong(double a) { return std::bit_cast<long long>(a); }
inline double __longlong_as_double(long long a) { return std::bit_cast<double>(a); }
inline int __double2hiint(double a) { return static_cast<int>(__double_as_longlong(a) >> 32); }
inline int __double2loint(double a) { return static_cast<int>(__double_as_longlong(a)); }
inline double __hiloint2double(int high, int low) {
    return std::bit_cast<double>(std::uint64_t{static_cast<unsigned>(high)} << 32 |
                                 static_cast<unsigned>(low));
}
