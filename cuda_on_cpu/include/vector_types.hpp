// SPDX-License-Identifier: MIT
// CUDA's vector types with CUDA's alignment, their make_ functions, and dim3. C++ and C.
#pragma once

#ifdef __cplusplus
#define CUDA_ON_CPU_MAKE constexpr
#else
#define CUDA_ON_CPU_MAKE static inline __attribute__((unused))
#endif

#define CUDA_ON_CPU_VECTOR(name, bytes, ...)      \
    struct __attribute__((aligned(bytes))) name { \
        __VA_ARGS__;                              \
    };                                            \
    typedef struct name name;
#define CUDA_ON_CPU_VECTOR4(name, T, bytes)                        \
    CUDA_ON_CPU_VECTOR(name, bytes, T x, y, z, w)                  \
    CUDA_ON_CPU_MAKE struct name make_##name(T x, T y, T z, T w) { \
        struct name result = {x, y, z, w};                         \
        return result;                                             \
    }
// One element type T gives name1 .. name4. Two and four elements are aligned as a whole (at most 16
// bytes), one and three like T: the same on the GPU, so that wide loads and struct layouts agree.
#define CUDA_ON_CPU_VECTORS(name, T)                                    \
    CUDA_ON_CPU_VECTOR(name##1, sizeof(T), T x)                         \
    CUDA_ON_CPU_VECTOR(name##2, 2 * sizeof(T), T x, y)                  \
    CUDA_ON_CPU_VECTOR(name##3, sizeof(T), T x, y, z)                   \
    CUDA_ON_CPU_VECTOR4(name##4, T, sizeof(T) < 4 ? 4 * sizeof(T) : 16) \
    CUDA_ON_CPU_MAKE struct name##1 make_##name##1(T x) {               \
        struct name##1 result = {x};                                    \
        return result;                                                  \
    }                                                                   \
    CUDA_ON_CPU_MAKE struct name##2 make_##name##2(T x, T y) {          \
        struct name##2 result = {x, y};                                 \
        return result;                                                  \
    }                                                                   \
    CUDA_ON_CPU_MAKE struct name##3 make_##name##3(T x, T y, T z) {     \
        struct name##3 result = {x, y, z};                              \
        return result;                                                  \
    }

CUDA_ON_CPU_VECTORS(char, signed char)
CUDA_ON_CPU_VECTORS(uchar, unsigned char)
CUDA_ON_CPU_VECTORS(short, short)
CUDA_ON_CPU_VECTORS(ushort, unsigned short)
CUDA_ON_CPU_VECTORS(int, int)
CUDA_ON_CPU_VECTORS(uint, unsigned int)
CUDA_ON_CPU_VECTORS(long, long)
CUDA_ON_CPU_VECTORS(ulong, unsigned long)
CUDA_ON_CPU_VECTORS(longlong, long long)
CUDA_ON_CPU_VECTORS(ulonglong, unsigned long long)
CUDA_ON_CPU_VECTORS(float, float)
CUDA_ON_CPU_VECTORS(double, double)
// CUDA 13 names the alignment of the four that have 32 bytes.
#define CUDA_ON_CPU_WIDE(name, T)           \
    CUDA_ON_CPU_VECTOR4(name##4_16a, T, 16) \
    CUDA_ON_CPU_VECTOR4(name##4_32a, T, 32)
CUDA_ON_CPU_WIDE(long, long)
CUDA_ON_CPU_WIDE(ulong, unsigned long)
CUDA_ON_CPU_WIDE(longlong, long long)
CUDA_ON_CPU_WIDE(ulonglong, unsigned long long)
CUDA_ON_CPU_WIDE(double, double)
#undef CUDA_ON_CPU_WIDE
#undef CUDA_ON_CPU_VECTORS
#undef CUDA_ON_CPU_VECTOR4
#undef CUDA_ON_CPU_VECTOR
#undef CUDA_ON_CPU_MAKE

/// Size of a grid (in blocks) or of a block (in threads).
struct dim3 {
    unsigned int x, y, z;
#ifdef __cplusplus
    constexpr dim3(unsigned int x = 1, unsigned int y = 1, unsigned int z = 1) : x(x), y(y), z(z) {}
    constexpr dim3(uint3 v) : x(v.x), y(v.y), z(v.z) {}
    constexpr operator uint3() const { return {x, y, z}; }
#endif
};
typedef struct dim3 dim3;
