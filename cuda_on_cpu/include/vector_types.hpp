// Copyright (c) 2026 The Convolab authors
// SPDX-License-Identifier: MIT
//
// CUDA's vector types with CUDA's alignment, their make_ functions, and dim3.
#pragma once

// One element type T gives name1 .. name4. Two and four elements are aligned as a whole (at most 16
// bytes), one and three like T: the same on the GPU, so that wide loads and struct layouts agree.
#define CUDA_ON_CPU_VECTORS(name, T)                                      \
    struct name##1 {                                                      \
        T x;                                                              \
    };                                                                    \
    struct alignas(2 * sizeof(T)) name##2 {                               \
        T x, y;                                                           \
    };                                                                    \
    struct name##3 {                                                      \
        T x, y, z;                                                        \
    };                                                                    \
    struct alignas(sizeof(T) < 4 ? 4 * sizeof(T) : 16) name##4 {          \
        T x, y, z, w;                                                     \
    };                                                                    \
    constexpr name##1 make_##name##1(T x) { return {x}; }                 \
    constexpr name##2 make_##name##2(T x, T y) { return {x, y}; }         \
    constexpr name##3 make_##name##3(T x, T y, T z) { return {x, y, z}; } \
    constexpr name##4 make_##name##4(T x, T y, T z, T w) { return {x, y, z, w}; }

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
#undef CUDA_ON_CPU_VECTORS

/// Size of a grid (in blocks) or of a block (in threads).
struct dim3 {
    unsigned int x, y, z;
    constexpr dim3(unsigned int x = 1, unsigned int y = 1, unsigned int z = 1) : x(x), y(y), z(z) {}
    constexpr dim3(uint3 v) : x(v.x), y(v.y), z(v.z) {}
    constexpr operator uint3() const { return {x, y, z}; }
};
