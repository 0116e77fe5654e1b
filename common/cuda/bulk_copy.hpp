// Copyright (c) 2026 The Convolab authors
// SPDX-License-Identifier: MIT
//
// Bulk copies from global to shared memory: one instruction copies a row (cp.async.bulk, compute
// capability 9.0; PTX ISA, "Data Movement: bulk copy"). A barrier in shared memory (mbarrier) counts
// the bytes that arrive. The copies of one warp, into memory that no other warp uses:
//
//     copies.init();                                         // all lanes
//     copies.expect(slot, bytes);                            // lane 0: what will arrive,
//     copies.copy(slot, s_to, d_from, some);                 //     and the copies, of so many bytes
//     copies.wait(slot, parity);                             // all lanes; parity 0, 1, 0 ...
//     __syncwarp();                                          // all have read: the slot is free
//
// Who has written into a slot by stores calls before_copies() before that __syncwarp(): bulk copies
// are made by another unit, which does not see the order of stores by itself. The emulator copies
// in wait(), and fills s_to with poison until then, as for AsyncCopies.
#pragma once

#include <cuda_runtime.h>

#include <cstdint>
#include <cstring>
#ifdef CUDA_ON_CPU
#include <vector>
#endif

namespace convolab {

inline constexpr int kBulkCopies = 90;  ///< the least compute capability

template <int slots>
class BulkCopies {
  public:
    /// s_barriers: one per slot, in shared memory.
    __device__ explicit BulkCopies(std::uint64_t* s_barriers) : s_barriers_(s_barriers) {}

    __device__ void init() {
#if !defined(CUDA_ON_CPU) && __CUDA_ARCH__ >= 900
        if (threadIdx.x == 0) {
            for (int slot = 0; slot < slots; ++slot)
                asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" ::"r"(barrier(slot)));
            asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
        }
#endif
        __syncwarp();
    }

    __device__ void expect(int slot, int bytes) {
#if defined(CUDA_ON_CPU)
        expected_[slot] = bytes;
#elif __CUDA_ARCH__ >= 900
        asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(barrier(slot)),
                     "r"(bytes)
                     : "memory");
#endif
    }

    /// Both addresses and the number of bytes are multiples of 16.
    __device__ void copy(int slot, void* s_to, const void* d_from, int bytes) {
#if defined(CUDA_ON_CPU)
        std::memset(s_to, 0xff, static_cast<std::size_t>(bytes));
        pending_[slot].push_back({s_to, d_from, bytes});
#elif __CUDA_ARCH__ >= 900
        asm volatile(
            "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, "
            "[%3];" ::"r"(shared(s_to)),
            "l"(d_from), "r"(bytes), "r"(barrier(slot))
            : "memory");
#endif
    }

    /// parity: 0 for the first copies of a slot, then 1, 0 ...
    __device__ void wait(int slot, [[maybe_unused]] int parity) {
#if defined(CUDA_ON_CPU)
        for (const Pending& one : pending_[slot]) {
            std::memcpy(one.s_to, one.d_from, static_cast<std::size_t>(one.bytes));
            expected_[slot] -= one.bytes;
        }
        pending_[slot].clear();
        if (expected_[slot] != 0) __trap();  // a GPU would wait for ever
        __syncwarp();
#elif __CUDA_ARCH__ >= 900
        asm volatile(
            "{\n"
            ".reg .pred done;\n"
            "again: mbarrier.try_wait.parity.shared::cta.b64 done, [%0], %1;\n"
            "@!done bra again;\n"
            "}" ::"r"(barrier(slot)),
            "r"(parity)
            : "memory");
#endif
    }

    static __device__ void before_copies() {
#if !defined(CUDA_ON_CPU) && __CUDA_ARCH__ >= 900
        asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
#endif
    }

  private:
    [[maybe_unused]] std::uint64_t* s_barriers_;
#ifdef CUDA_ON_CPU
    struct Pending {
        void* s_to;
        const void* d_from;
        int bytes;
    };
    std::vector<Pending> pending_[slots];
    int expected_[slots] = {};
#else
    static __device__ unsigned shared(const void* s_at) {
        return static_cast<unsigned>(__cvta_generic_to_shared(s_at));
    }
    __device__ unsigned barrier(int slot) const { return shared(s_barriers_ + slot); }
#endif
};

}  // namespace convolab
