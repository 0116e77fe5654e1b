// SPDX-License-Identifier: MIT
// Tells ThreadSanitizer which CUDA thread runs, and which accesses are ordered.
//
// A barrier orders the threads of a block. Blocks are not ordered, but a TSan thread for each CUDA
// thread of the grid would be too many. So there are two sets of TSan threads, and blocks of
// different sets are not ordered. Usually neighbouring blocks use different sets; in some launches
// it is blocks that are two, four or eight apart.
//
// A fence orders what a thread did before it and what another thread does after it has seen, by an
// atomic function, a value that the first thread then stored by an atomic function.
//
// At a barrier TSan's work for each waiting thread grows with the number of threads it knows, so it
// knows at most 61. Thread n of a block is TSan's thread n mod 61, and in the next block n mod 59.
// A race of two threads that share a TSan thread shows in the other block, because no two of 1024
// threads differ by a multiple of both 61 and 59. __syncwarp orders only some threads, but would
// also order all others that share a TSan thread with them. So after a block that uses it, each
// thread has a separate TSan thread.
#pragma once

#include <cstddef>
#include <vector>

#include "device/sanitizers.hpp"
#include "vector_types.hpp"

namespace cuda_on_cpu {

/// A grid runs while this object lives. What its threads do happens before everything that the host
/// does afterwards. Meanwhile TSan ignores the host, because the emulator looks at memory that the
/// threads use.
class TsanGrid {
  public:
    TsanGrid();
    ~TsanGrid();
    TsanGrid(const TsanGrid&) = delete;
    TsanGrid& operator=(const TsanGrid&) = delete;
    /// The set of TSan threads for this block, 0 or 1.
    unsigned set_of(uint3 block) const {
        return has_tsan() ? (block.x / step_ + block.y / step_ + block.z / step_) % 2 : 0;
    }

  private:
    unsigned step_;
};

/// A set of TSan threads.
class TsanThreads {
  public:
    /// Everything the host has done so far happens before everything the block's threads do.
    void begin_block(std::size_t threads) {
        if (has_tsan()) begin(threads);
    }
    void end_block() {
        if (has_tsan()) end();
    }
    /// After a wait for the grid: everything that all blocks did before it happens before
    /// everything after it.
    void go_on();
    /// A barrier of the block is complete.
    void order_all() {
        if (has_tsan()) order();
    }
    /// A thread reaches __syncwarp, or leaves it: what its warp did before happens before.
    void come_to_warp(unsigned number) {
        warp_sync_ = true;
        tsan_release(&warps_[number / 32]);
    }
    void leave_warp(unsigned number) { tsan_acquire(&warps_[number / 32]); }
    /// From here on this thread runs, or the host; the emulator's own work counts as the host's.
    void run_thread(unsigned number) const { tsan_switch(context_of(number)); }
    void run_host() const { tsan_switch(host_); }
    /// Called after a failure, between blocks. Otherwise TSan would take the calls that threads
    /// were in for calls of the next block.
    void forget_threads();

  private:
    void begin(std::size_t threads);
    void end();
    void order();
    void* context_of(unsigned number) const {
        return has_tsan() ? contexts_[number % modulus_] : nullptr;
    }

    std::vector<void*> contexts_;
    std::size_t used_ = 0;  // how many of contexts_ this block uses
    unsigned modulus_ = 1;
    static inline unsigned shared_modulus_ = 61;  // the last block's, whichever set it had
    static inline bool warp_sync_ = false;        // in the last block
    void* host_ = nullptr;
    char begin_ = 0, end_ = 0, barrier_ = 0, warps_[32] = {};  // only their addresses matter
};

}  // namespace cuda_on_cpu
