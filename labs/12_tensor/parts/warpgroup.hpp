// SPDX-License-Identifier: MIT
// Asynchronous products of a warpgroup, which is four warps (wgmma, compute capability 9.0a; PTX
// ISA, "Asynchronous warpgroup level matrix instructions"). D += A x B. A has 64 rows, 16 for each
// warp, and the lanes hold it in registers, as for mma (tensor_core.hpp). B has N columns, and
// stays in shared memory. Each lane gets N / 2 sums of D. Sums 4 i to 4 i + 3 of lane 4 g + t are
// of row g, columns 8 i + 2 t and 8 i + 2 t + 1, and of row g + 8, the same columns.
//
// A column of B consists of chunks of 16 bytes. A descriptor tells where they are: it has the
// address of column 0, and `stride`, the distance from a chunk to the next one of the same column.
// Column n + 1 begins 16 bytes after column n. Columns of several chunks may overlap, because the
// descriptor only gives addresses. So a window of the image already is a column.
//
//     const Descriptor stage(s_rows);
//     products.begin();                         // all threads of the warpgroup call each line
//     products.multiply<true>(part, stage.at(offset, stride));   // true: the first sets the sums
//     products.multiply<false>(part, stage.at(offset, stride));
//     products.wait();                          // only now the sums are there, and B is free
#pragma once

#include "labs/12_tensor/parts/tensor_core.hpp"

namespace convolab::tensor_cores {

/// What a lane holds of a dense A, 64 x 32. A column of B has two chunks.
struct DensePart {
    static constexpr int kChunks = 2;
    uint4 a;
};
/// What a lane holds of a sparse A, 64 x 64. A column of B has four chunks.
struct SparsePart {
    static constexpr int kChunks = 4;
    uint4 a;
    unsigned positions;
};

#ifndef CUDA_ON_CPU

/// Where the columns of B are: address / 16 in bits 0 to 13, stride / 16 in bits 16 to 29, and in
/// bits 32 to 45 the distance between groups of eight columns / 16. The columns of a group are 16
/// bytes apart, because bits 62 and 63 ask for no swizzle, which would permute the chunks.
struct Descriptor {
    std::uint64_t bits;

    __device__ __forceinline__ explicit Descriptor(const unsigned char* s_rows = nullptr)
        : bits((std::uint64_t{128 / 16} << 32) +
               (static_cast<unsigned>(__cvta_generic_to_shared(s_rows)) >> 4)) {}
    __device__ __forceinline__ Descriptor at(int offset, int to_next_chunk) const {
        Descriptor there = *this;
        there.bits += (static_cast<std::uint64_t>(to_next_chunk / 16) << 16) + offset / 16;
        return there;
    }
};

// The operands of an instruction are written out, because a string cannot contain a loop.
#define WGMMA_SUMS_4(i) "+r"(sums[i]), "+r"(sums[i + 1]), "+r"(sums[i + 2]), "+r"(sums[i + 3])
#define WGMMA_SUMS_16(i) \
    WGMMA_SUMS_4(i), WGMMA_SUMS_4(i + 4), WGMMA_SUMS_4(i + 8), WGMMA_SUMS_4(i + 12)
#define WGMMA_SUMS_72                                                                            \
    WGMMA_SUMS_16(0), WGMMA_SUMS_16(16), WGMMA_SUMS_16(32), WGMMA_SUMS_16(48), WGMMA_SUMS_4(64), \
        WGMMA_SUMS_4(68)
#define WGMMA_SUMS_80 WGMMA_SUMS_72, WGMMA_SUMS_4(72), WGMMA_SUMS_4(76)
#define WGMMA_NAMES_72                                                                 \
    "%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, " \
    "%18, %19, %20, %21, %22, %23, %24, %25, %26, %27, %28, %29, %30, %31, %32, %33, " \
    "%34, %35, %36, %37, %38, %39, %40, %41, %42, %43, %44, %45, %46, %47, %48, %49, " \
    "%50, %51, %52, %53, %54, %55, %56, %57, %58, %59, %60, %61, %62, %63, %64, %65, " \
    "%66, %67, %68, %69, %70, %71"
#define WGMMA_NAMES_80 WGMMA_NAMES_72 ", %72, %73, %74, %75, %76, %77, %78, %79"
#define WGMMA(kind, names, sums, a, b, positions, is_added, ...)                           \
    asm volatile("{\n.reg .pred p;\nsetp.ne.b32 p, " is_added ", 0;\nwgmma.mma_async" kind \
                 ".s32.s8.u8 {" names "}, {" a "}, " b positions ", p;\n}"                 \
                 : sums                                                                    \
                 : __VA_ARGS__, "n"(!is_first))

template <int N>
class Products {
  public:
    int sums[N / 2];

    /// The products see what these threads have written to registers before: A and the sums.
    __device__ __forceinline__ void begin() const {
#ifdef __CUDA_ARCH_FEAT_SM90_ALL
        asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
#endif
    }

    template <bool is_first>
    __device__ __forceinline__ void multiply(const SparsePart& part, const Descriptor& b) {
#ifdef __CUDA_ARCH_FEAT_SM90_ALL
        const auto& [a, positions] = part;
        if constexpr (N == 144)
            WGMMA(".sp.sync.aligned.m64n144k64", WGMMA_NAMES_72, WGMMA_SUMS_72,
                  "%72, %73, %74, %75", "%76", ", %77, 0x0", "%78", "r"(a.x), "r"(a.y), "r"(a.z),
                  "r"(a.w), "l"(b.bits), "r"(positions));
        else
            WGMMA(".sp.sync.aligned.m64n160k64", WGMMA_NAMES_80, WGMMA_SUMS_80,
                  "%80, %81, %82, %83", "%84", ", %85, 0x0", "%86", "r"(a.x), "r"(a.y), "r"(a.z),
                  "r"(a.w), "l"(b.bits), "r"(positions));
#endif
    }
    template <bool is_first>
    __device__ __forceinline__ void multiply(const DensePart& part, const Descriptor& b) {
#ifdef __CUDA_ARCH_FEAT_SM90_ALL
        static_assert(N == 160);
        const uint4& a = part.a;
        WGMMA(".sync.aligned.m64n160k32", WGMMA_NAMES_80, WGMMA_SUMS_80, "%80, %81, %82, %83",
              "%84", "", "%85", "r"(a.x), "r"(a.y), "r"(a.z), "r"(a.w), "l"(b.bits));
#endif
    }

    /// Ends the group of all products since the last call, and waits for it.
    __device__ __forceinline__ void wait() {
#ifdef __CUDA_ARCH_FEAT_SM90_ALL
        asm volatile("wgmma.commit_group.sync.aligned;\nwgmma.wait_group.sync.aligned 0;" ::
                         : "memory");
        // No instruction. It keeps the compiler from using a sum before the wait.
#pragma unroll
        for (int i = 0; i < N / 2; ++i) asm volatile("" : "+r"(sums[i])::"memory");
#endif
    }
};

#undef WGMMA
#undef WGMMA_NAMES_80
#undef WGMMA_NAMES_72
#undef WGMMA_SUMS_80
#undef WGMMA_SUMS_72
#undef WGMMA_SUMS_16
#undef WGMMA_SUMS_4

/// A warpgroup that only copies gives registers away; the warpgroups that multiply take them.
template <int registers>
__device__ __forceinline__ void take_registers() {
#ifdef __CUDA_ARCH_FEAT_SM90_ALL
    asm volatile("setmaxnreg.inc.sync.aligned.u32 %0;" ::"n"(registers));
#endif
}
template <int registers>
__device__ __forceinline__ void give_registers() {
#ifdef __CUDA_ARCH_FEAT_SM90_ALL
    asm volatile("setmaxnreg.dec.sync.aligned.u32 %0;" ::"n"(registers));
#endif
}

#endif

}  // namespace convolab::tensor_cores

#ifdef CUDA_ON_CPU
#include "labs/12_tensor/parts/warpgroup_on_cpu.hpp"
#endif
