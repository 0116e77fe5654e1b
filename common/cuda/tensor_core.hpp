// Copyright (c) 2026 The Convolab authors
// SPDX-License-Identifier: MIT
//
// Tensor cores: a warp multiplies small matrices, D = A x B + C, with bytes in A and B and 32-bit
// sums, so the result is exact (compute capability 8.0; PTX ISA, "Warp-level matrix instructions").
// Each lane has a part of each matrix in registers. Lane 4 g + t has
//
//     A, 16 rows, signed     words 0 and 2 of row g, words 1 and 3 of row g + 8: bytes 4 t .. 4 t + 3
//                            of the first 16 columns, and of the last 16
//     B, 8 columns, unsigned word i of column g: rows 16 i + 4 t .. 16 i + 4 t + 3
//     C and D, 16 x 8        x and y: row g, columns 2 t and 2 t + 1; z and w: row g + 8
//
// All lanes of the warp call these functions together. The emulator computes the same by plain
// loops: each lane looks at the registers of the others.
#pragma once

#include <cuda_runtime.h>

#include <cstdint>

#include "common/cuda/packed_arithmetic.hpp"

namespace convolab {

/// The least compute capability of these functions, and of store_transposed().
inline constexpr int kTensorCores = 80;
inline constexpr int kStoreTransposed = 90;

#ifdef CUDA_ON_CPU

/// Calls use(lanes): lanes[i]->... is what lane i has brought.
template <class Registers, class Use>
inline void with_all_lanes(const char* name, const Registers& mine, const Use& use) {
    const auto meet = [&](const Registers* registers) {
        return cuda_on_cpu::exchange(cuda_on_cpu::WarpFunction::sync, name, ~0U,
                                     reinterpret_cast<std::uintptr_t>(registers), __FILE__,
                                     __LINE__);
    };
    const Registers* lanes[32];
    const cuda_on_cpu::WarpValues brought = meet(&mine);
    for (int i = 0; i < 32; ++i) lanes[i] = reinterpret_cast<const Registers*>(brought.value[i]);
    use(lanes);
    meet(nullptr);  // nobody goes on before all have read
}

/// Byte `index` of `word`.
inline unsigned byte_of(unsigned word, unsigned index) { return word >> (8 * index) & 255U; }

struct MatrixRegisters {
    uint4 a, b;
    unsigned positions;
};
inline unsigned word_of(const uint4& words, int i) {
    return i == 0 ? words.x : i == 1 ? words.y : i == 2 ? words.z : words.w;
}

#endif

/// A x B + C: A has 16 x 32 elements, B 32 x 8.
__device__ __forceinline__ int4 multiply(const uint4& a, const uint2& b, const int4& c) {
#if defined(CUDA_ON_CPU)
    int d[4] = {c.x, c.y, c.z, c.w};
    const MatrixRegisters mine{a, make_uint4(b.x, b.y, 0, 0), 0};
    with_all_lanes("mma", mine, [&](const auto& lanes) {
        const int g = threadIdx.x % 32 / 4, t = threadIdx.x % 4;
        for (int from = 0; from < 4; ++from)
            for (int word = 0; word < 4; ++word)
                if (const unsigned four = word_of(lanes[4 * g + from]->a, word))
                    for (int column = 0; column < 2; ++column) {
                        const uint4& of = lanes[4 * (2 * t + column) + from]->b;
                        int& sum = d[2 * (word % 2) + column];
                        sum = dp4a_signed(word_of(of, word / 2), four, sum);
                    }
    });
    return make_int4(d[0], d[1], d[2], d[3]);
#elif __CUDA_ARCH__ >= 800
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
#if defined(CUDA_ON_CPU)
    int d[4] = {c.x, c.y, c.z, c.w};
    const MatrixRegisters mine{a, b, positions};
    with_all_lanes("mma.sp", mine, [&](const auto& lanes) {
        const int g = threadIdx.x % 32 / 4, t = threadIdx.x % 4;
        for (int group = 0; group < 16; ++group)
            for (int below = 0; below < 2; ++below) {  // row g, row g + 8
                const unsigned four =
                    word_of(lanes[4 * g + group % 8 / 2]->a, below + 2 * (group / 8));
                const unsigned two = four >> (16 * (group % 2)) & 0xffffU;
                if (two == 0) continue;
                const unsigned places =
                    lanes[4 * g + below + 2 * (group / 8)]->positions >> (4 * (group % 8));
                for (int column = 0; column < 2; ++column) {
                    const unsigned of =
                        word_of(lanes[4 * (2 * t + column) + group % 4]->b, group / 4);
                    d[2 * below + column] +=
                        static_cast<std::int8_t>(two) * static_cast<int>(byte_of(of, places & 3)) +
                        static_cast<std::int8_t>(two >> 8) *
                            static_cast<int>(byte_of(of, places >> 2 & 3));
                }
            }
    });
    return make_int4(d[0], d[1], d[2], d[3]);
#elif __CUDA_ARCH__ >= 800
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

/// Four matrices of 8 x 8 halves, transposed, to shared memory. Lane 4 g + t has in words[i] the
/// elements (g, 2 t) and (g, 2 t + 1) of matrix i. Lane 8 i + k says where column k of matrix i is
/// put, 16 bytes.
__device__ __forceinline__ void store_transposed(void* s_to, const unsigned (&words)[4]) {
#if defined(CUDA_ON_CPU)
    with_all_lanes("stmatrix", s_to, [&](const auto& lanes) {
        const int g = threadIdx.x % 32 / 4, t = threadIdx.x % 4;
        for (int i = 0; i < 4; ++i)
            for (int k = 0; k < 2; ++k)
                static_cast<std::uint16_t*>(*lanes[8 * i + 2 * t + k])[g] =
                    static_cast<std::uint16_t>(words[i] >> (16 * k));
    });
#elif __CUDA_ARCH__ >= 900
    asm volatile("stmatrix.sync.aligned.m8n8.x4.trans.shared.b16 [%0], {%1, %2, %3, %4};" ::"r"(
                     static_cast<unsigned>(__cvta_generic_to_shared(s_to))),
                 "r"(words[0]), "r"(words[1]), "r"(words[2]), "r"(words[3])
                 : "memory");
#else
    __trap();
#endif
}

}  // namespace convolab
