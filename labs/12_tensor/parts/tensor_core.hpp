// SPDX-License-Identifier: MIT
// Tensor cores: a warp multiplies small matrices, D = A x B + C, with bytes in A and B and 32-bit
// sums, so the result is exact (compute capability 8.0; PTX ISA, "Warp-level matrix instructions").
// Each lane has a part of each matrix in registers. Lane 4 g + t has
//
//     A, 16 rows, signed     words 0 and 2 of row g, words 1 and 3 of row g + 8: bytes 4t .. 4t + 3
//                            of the first 16 columns, and of the last 16
//     B, 8 columns, unsigned word i of column g: rows 16 i + 4 t .. 16 i + 4 t + 3
//     C and D, 16 x 8        x and y: row g, columns 2 t and 2 t + 1; z and w: row g + 8
//
// All lanes of the warp call these functions together.
#pragma once

#include <cuda_runtime.h>

#include <cstdint>

namespace convolab {

/// The least compute capability of these functions, and of store_transposed().
inline constexpr int kTensorCores = 80;
inline constexpr int kStoreTransposed = 90;

#ifndef CUDA_ON_CPU

/// A x B + C: A has 16 x 32 elements, B 32 x 8.
__device__ __forceinline__ int4 multiply(const uint4& a, const uint2& b, const int4& c) {
#if __CUDA_ARCH__ >= 800
    int4 d;
    asm("mma.sync.aligned.m16n8k32.row.col.s32.s8.u8.s32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, "
        "{%8, %9}, {%10, %11, %12, %13};"
        : "=r"(d.x), "=r"(d.y), "=r"(d.z), "=r"(d.w)
        : "r"(a.x), "r"(a.y), "r"(a.z), "r"(a.w), "r"(b.x), "r"(b.y), "r"(c.x), "r"(c.y), "r"(c.z),
          "r"(c.w));
    return d;
#else
    __trap();
    return c;
#endif
}

/// The same with A of 16 x 64 elements, of which each group of 4 along a row has at most 2 that are
/// not zero, and B of 64 x 8. A contains 2 elements of each group, and `positions` their places in
/// it, 2 bits each, the lower first: lane 4 g + t has those of row g + 8 (t % 2), groups 8 (t / 2)
/// to 8 (t / 2) + 7, from bit 0 on.
__device__ __forceinline__ int4 multiply_sparse(const uint4& a, unsigned positions, const uint4& b,
                                                const int4& c) {
#if __CUDA_ARCH__ >= 800
    int4 d;
    asm("mma.sp::ordered_metadata.sync.aligned.m16n8k64.row.col.s32.s8.u8.s32 {%0, %1, %2, %3}, "
        "{%4, %5, %6, %7}, {%8, %9, %10, %11}, {%12, %13, %14, %15}, %16, 0x0;"
        : "=r"(d.x), "=r"(d.y), "=r"(d.z), "=r"(d.w)
        : "r"(a.x), "r"(a.y), "r"(a.z), "r"(a.w), "r"(b.x), "r"(b.y), "r"(b.z), "r"(b.w), "r"(c.x),
          "r"(c.y), "r"(c.z), "r"(c.w), "r"(positions));
    return d;
#else
    __trap();
    return c;
#endif
}

/// Stores four matrices of 8 x 8 halves, transposed, to shared memory. In lane 4 g + t, words[i]
/// contains the elements (g, 2 t) and (g, 2 t + 1) of matrix i. Lane 8 i + k gives the address, 16
/// bytes, for column k of matrix i.
__device__ __forceinline__ void store_transposed(void* s_to, const unsigned (&words)[4]) {
#if __CUDA_ARCH__ >= 900
    asm volatile("stmatrix.sync.aligned.m8n8.x4.trans.shared.b16 [%0], {%1, %2, %3, %4};" ::"r"(
                     static_cast<unsigned>(__cvta_generic_to_shared(s_to))),
                 "r"(words[0]), "r"(words[1]), "r"(words[2]), "r"(words[3])
                 : "memory");
#else
    __trap();
#endif
}

/// Lane 4 g + t holds elements (g, 2 t) and (g, 2 t + 1) of an 8 x 8 matrix of pairs of bytes. It
/// gets the same elements of the transposed matrix.
__device__ __forceinline__ unsigned transposed(unsigned word) {
    asm volatile("movmatrix.sync.aligned.m8n8.trans.b16 %0, %0;" : "+r"(word));
    return word;
}

#endif

}  // namespace convolab

#ifdef CUDA_ON_CPU
#include "labs/12_tensor/parts/tensor_core_on_cpu.hpp"
#endif
