// SPDX-License-Identifier: MIT
// Bulk copies from global to shared memory: one instruction copies a row (cp.async.bulk, compute
// capability 9.0; PTX ISA, "Data Movement: bulk copy"). An mbarrier, an object in shared memory,
// counts threads that arrive and bytes that arrive. When all of a phase have come the next phase
// begins. A slot that several warps read has two of them:
//
//     full.init(1);  empty.init(threads);       // one thread; then __syncthreads()
//     full.arrive_expecting(bytes);             // one thread: what will arrive,
//     full.copy(s_to, d_from, some);            //     and the copies, with these bytes
//     full.wait(parity);                        // all threads; parity 0, 1, 0 ...
//     empty.arrive();                           // all threads, when they have read
//     empty.wait(parity);                       // one thread: it may copy again
//
// A new barrier is in its first phase, whose parity is 0; the phase before counts as ended. So
// wait(1) returns at once.
//
// Bulk copies and wgmma access shared memory through another unit than stores do (the async proxy).
// A thread that has written into a slot by stores calls proxy_fence() before it signals that it has
// finished, so that the other unit sees the bytes.
// The emulator copies in wait(), and fills s_to with poison until then, as for AsyncCopies.
#pragma once

#include <cuda_runtime.h>

#include <cstdint>

namespace convolab {

inline constexpr int kBulkCopies = 90;  ///< the least compute capability

#ifndef CUDA_ON_CPU

class Mbarrier {
  public:
    __device__ __forceinline__ void init([[maybe_unused]] int arrivals) {
#if __CUDA_ARCH__ >= 900
        asm volatile(
            "mbarrier.init.shared::cta.b64 [%0], %1;\n"
            "fence.mbarrier_init.release.cluster;" ::"r"(address()),
            "r"(arrivals)
            : "memory");
#endif
    }

    /// Counts as `times` arrivals.
    __device__ __forceinline__ void arrive([[maybe_unused]] int times = 1) {
#if __CUDA_ARCH__ >= 900
        asm volatile("mbarrier.arrive.shared::cta.b64 _, [%0], %1;" ::"r"(address()), "r"(times)
                     : "memory");
#endif
    }

    __device__ __forceinline__ void arrive_expecting([[maybe_unused]] int bytes) {
#if __CUDA_ARCH__ >= 900
        asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(address()),
                     "r"(bytes)
                     : "memory");
#endif
    }

    /// Both addresses and the number of bytes are multiples of 16.
    __device__ __forceinline__ void copy([[maybe_unused]] void* s_to,
                                         [[maybe_unused]] const void* d_from,
                                         [[maybe_unused]] int bytes) {
#if __CUDA_ARCH__ >= 900
        asm volatile(
            "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, "
            "[%3];" ::"r"(static_cast<unsigned>(__cvta_generic_to_shared(s_to))),
            "l"(d_from), "r"(bytes), "r"(address())
            : "memory");
#endif
    }

    /// Until a phase has ended: parity 0 for the first, then 1, 0 ...
    __device__ __forceinline__ void wait([[maybe_unused]] int parity) {
#if __CUDA_ARCH__ >= 900
        asm volatile(
            "{\n"
            ".reg .pred done;\n"
            "again: mbarrier.try_wait.parity.shared::cta.b64 done, [%0], %1;\n"
            "@!done bra again;\n"
            "}" ::"r"(address()),
            "r"(parity)
            : "memory");
#endif
    }

    static __device__ __forceinline__ void proxy_fence() {
#if __CUDA_ARCH__ >= 900
        asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
#endif
    }

  private:
    __device__ __forceinline__ unsigned address() const {
        return static_cast<unsigned>(__cvta_generic_to_shared(&state_));
    }

    std::uint64_t state_;
};

#endif

}  // namespace convolab

#ifdef CUDA_ON_CPU
#include "labs/12_tensor/parts/bulk_copy_on_cpu.hpp"
#endif
