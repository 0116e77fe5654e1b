// SPDX-License-Identifier: MIT
// CUDA's mathematical functions that C++ lacks. A GPU's results may differ in the last bits.
#pragma once

#include <cmath>
#include <numbers>

inline float fdividef(float a, float b) { return a / b; }
/// Documented: 0 for such a large divisor.
inline float __fdividef(float a, float b) {
    return std::fabs(b) > 0x1p126F && !std::isinf(b) ? a * 0 : a / b;
}
/// As a GPU computes it, so a negative number gives NaN.
inline float __powf(float a, float b) { return std::exp2(b * std::log2(a)); }
inline float fdivide(float a, float b) { return a / b; }
inline double fdivide(double a, double b) { return a / b; }
inline float rsqrtf(float a) { return 1.0F / std::sqrt(a); }
inline float rsqrt(float a) { return rsqrtf(a); }
inline double rsqrt(double a) { return 1.0 / std::sqrt(a); }
inline double rcbrt(double a) { return 1.0 / std::cbrt(a); }
inline double rhypot(double a, double b) { return 1.0 / std::hypot(a, b); }
inline double norm3d(double a, double b, double c) { return std::hypot(a, b, c); }
inline double norm4d(double a, double b, double c, double d) {
    return std::hypot(std::hypot(a, b), c, d);
}
inline double rnorm3d(double a, double b, double c) { return 1.0 / norm3d(a, b, c); }
inline double rnorm4d(double a, double b, double c, double d) { return 1.0 / norm4d(a, b, c, d); }
/// The normal distribution's share below a.
inline double normcdf(double a) { return std::erfc(a * -std::numbers::sqrt2 / 2) / 2; }

#if !defined(__GLIBC_PREREQ) || !__GLIBC_PREREQ(2, 41)
namespace cuda_on_cpu {
/// Of an angle in right angles; exact for whole ones.
inline double sine(double angle) {
    if (angle != std::nearbyint(angle)) return std::sin(std::numbers::pi / 2 * angle);
    const int whole = static_cast<int>(angle) & 3;
    return whole % 2 == 0 ? 0 : 2 - whole;
}
}  // namespace cuda_on_cpu
// sin(pi a) and cos(pi a); glibc has them from 2.41 on.
inline double sinpi(double a) { return cuda_on_cpu::sine(2 * std::fmod(a, 2.0)); }
inline double cospi(double a) { return cuda_on_cpu::sine(2 * std::fmod(a, 2.0) + 1); }
inline float sinpif(float a) { return static_cast<float>(sinpi(double{a})); }
inline float cospif(float a) { return static_cast<float>(cospi(double{a})); }
#endif
inline void sincos(float a, float* sine, float* cosine) {
    *sine = std::sin(a);
    *cosine = std::cos(a);
}
inline void sincospi(double a, double* sine, double* cosine) {
    *sine = sinpi(a);
    *cosine = cospi(a);
}

inline float rcbrtf(float a) { return static_cast<float>(rcbrt(double{a})); }
inline float rhypotf(float a, float b) { return static_cast<float>(rhypot(a, b)); }
inline float norm3df(float a, float b, float c) { return static_cast<float>(norm3d(a, b, c)); }
inline float norm4df(float a, float b, float c, float d) {
    return static_cast<float>(norm4d(a, b, c, d));
}
inline float rnorm3df(float a, float b, float c) { return static_cast<float>(rnorm3d(a, b, c)); }
inline float rnorm4df(float a, float b, float c, float d) {
    return static_cast<float>(rnorm4d(a, b, c, d));
}
inline float normcdff(float a) { return static_cast<float>(normcdf(a)); }
inline void sincospif(float a, float* sine, float* cosine) {
    *sine = sinpif(a);
    *cosine = cospif(a);
}

inline float rcbrt(float a) { return rcbrtf(a); }
inline float normcdf(float a) { return normcdff(a); }
inline float sinpi(float a) { return sinpif(a); }
inline float cospi(float a) { return cospif(a); }
inline void sincospi(float a, float* sine, float* cosine) { sincospif(a, sine, cosine); }
