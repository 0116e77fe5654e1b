// Copyright (c) 2026 The Convolab authors
// SPDX-License-Identifier: MIT
//
// What ThreadSanitizer must know of a grid: which thread runs, and what is ordered.
//
// A barrier orders the threads of a block. Blocks are not ordered, but a TSan thread for each would
// be too many: there are two sets of them, and blocks of different sets are not ordered. Neighbours
// are of different sets; in some launches those are that are two, four or eight blocks apart.
//
// A fence orders what a thread does before it and what the thread does that then sees, by an atomic
// function, what the first has stored by one.
//
// At a barrier TSan's work for each waiting thread grows with the number of threads it knows. So it
// knows at most 61: thread n of a block is TSan's thread n mod 61, in the next block n mod 59. A
// race of two threads that are one for TSan shows in the other block: no two of 1024 threads differ
// by a multiple of both 61 and 59. __syncwarp orders only some threads, but would order all that
// share a TSan thread with them; so after a block that uses it, each thread has a TSan thread of
// its own.
#pragma once

#include <cstddef>
#include <vector>

#include "device/sanitizers.hpp"
#include "vector_types.hpp"

namespace cuda_on_cpu {

/// While it lives a grid runs. What its threads have done happens before all that the host does
/// then. TSan does not look at the host meanwhile: the emulator looks after memory that the threads
/// use.
class TsanGrid {
  public:
    TsanGrid();
    ~TsanGrid();
    TsanGrid(const TsanGrid&) = delete;
    TsanGrid& operator=(const TsanGrid&) = delete;
    /// The set of TSan threads that the block gets, 0 or 1.
    unsigned set_of(uint3 block) const {
        return has_tsan() ? (block.x / step_ + block.y / step_ + block.z / step_) % 2 : 0;
    }

  private:
    unsigned step_;
};

/// A set of TSan threads.
class TsanThreads {
  public:
    /// What the host has done so far happens before all that the block's threads do.
    void begin_block(std::size_t threads) {
        if (has_tsan()) begin(threads);
    }
    void end_block() {
        if (has_tsan()) end();
    }
    /// After the block has waited for the grid: what all blocks did before happens before.
    void go_on();
    /// A barrier of the block is complete.
    void order_all() {
        if (has_tsan()) order();
    }
    /// A thread comes to __syncwarp, or leaves it: what its warp did before happens before.
    void come_to_warp(unsigned number) {
        warp_sync_ = true;
        tsan_release(&warps_[number / 32]);
    }
    void leave_warp(unsigned number) { tsan_acquire(&warps_[number / 32]); }
    /// From here on the thread runs, or the host: the emulator's own work counts as the host's.
    void run_thread(unsigned number) const { tsan_switch(context_of(number)); }
    void run_host() const { tsan_switch(host_); }
    /// After a failure, between blocks: TSan must not take the calls that threads were in for those
    /// of the next block.
    void forget_threads();

  private:
    void begin(std::size_t threads);
    void end();
    void order();
    void* context_of(unsigned number) const {
        return has_tsan() ? contexts_[number % modulus_] : nullptr;
    }

    std::vector<void*> contexts_;
    std::size_t used_ = 0;  // of contexts_, in this block
    unsigned modulus_ = 1;
    static inline unsigned shared_modulus_ = 61;  // of the last block, whichever set it had
    static inline bool warp_sync_ = false;        // in the last block
    void* host_ = nullptr;
    char begin_ = 0, end_ = 0, barrier_ = 0, warps_[32] = {};  // only their addresses count
};

}  // namespace cuda_on_cpu
