// SPDX-License-Identifier: MIT
// Copies from global to shared memory that run while the thread continues (cp.async, compute
// capability 8.0; PTX ISA, "Data Movement: asynchronous copy"). A thread waits for its own copies;
// other threads see the copied bytes after the next __syncwarp() or __syncthreads().
//
//     AsyncCopies copies;
//     copies.copy_16(s_to, d_from);  copies.close_group();   // any number of times
//     copies.wait<2>();                                      // for all groups but the 2 newest
//
// Older GPUs copy at once. The emulator copies as late as it is allowed to, in wait(), and fills
// s_to with poison until then: who reads too early, for want of a wait, or too late, for want of a
// barrier, reads poison.
#pragma once

#include <cuda_runtime.h>

#include <cstring>
#ifdef CUDA_ON_CPU
#include <vector>
#endif

namespace convolab {

#ifdef CUDA_ON_CPU
/// For the judge of an exercise: copies that were waited for while none was in flight behind them.
/// It is no variable of the program, so the emulator's `check` and `count` do not see it.
inline std::size_t copies_alone = 0;
[[gnu::no_sanitize_thread]] inline void note_alone(std::size_t copies) {
    __atomic_fetch_add(&copies_alone, copies, __ATOMIC_RELAXED);
}
#endif

class AsyncCopies {
  public:
    /// Both addresses are 16-byte aligned; s_to is in shared memory. The copy goes through the L1
    /// cache (.ca): whole lines are fetched, and a row that the neighbouring warp has just read is
    /// not fetched again. Without the L1 cache (.cg) the kernel makes more requests to the L2
    /// cache.
    __device__ void copy_16(void* s_to, const void* d_from) {
#if defined(CUDA_ON_CPU)
        std::memset(s_to, 0xff, 16);
        pending_.push_back({s_to, d_from, group_});
#elif __CUDA_ARCH__ >= 800
        asm volatile("cp.async.ca.shared.global [%0], [%1], 16;" ::"r"(
                         static_cast<unsigned>(__cvta_generic_to_shared(s_to))),
                     "l"(d_from)
                     : "memory");
#else
        *static_cast<uint4*>(s_to) = *static_cast<const uint4*>(d_from);
#endif
    }

    __device__ void close_group() {
#if defined(CUDA_ON_CPU)
        ++group_;
#elif __CUDA_ARCH__ >= 800
        asm volatile("cp.async.commit_group;" ::: "memory");
#endif
    }

    /// Waits for all groups but the `newest` that were closed last.
    template <int newest>
    __device__ void wait() {
#if defined(CUDA_ON_CPU)
        std::size_t done = 0;
        for (; done < pending_.size() && pending_[done].group < group_ - newest; ++done)
            std::memcpy(pending_[done].s_to, pending_[done].d_from, 16);
        pending_.erase(pending_.begin(), pending_.begin() + static_cast<std::ptrdiff_t>(done));
        if (pending_.empty() && done > 0) note_alone(done);
#elif __CUDA_ARCH__ >= 800
        asm volatile("cp.async.wait_group %0;" ::"n"(newest) : "memory");
#endif
    }

  private:
#ifdef CUDA_ON_CPU
    struct Pending {
        void* s_to;
        const void* d_from;
        int group;
    };
    std::vector<Pending> pending_;
    int group_ = 0;
#endif
};

}  // namespace convolab
