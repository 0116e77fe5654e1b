// SPDX-License-Identifier: MIT
// What happens before what in a kernel. A barrier orders the threads of a block, __syncwarp the
// lanes of a warp, and a fence with atomic functions of one variable, or a volatile one that is
// written behind it, two threads anywhere: what the
// first has done before its fence, and what the second does once it has seen the variable.
// Blocks are not ordered, whatever the order in which they run here.
#pragma once

#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include "device/threads/block.hpp"
#include "shadow.hpp"

namespace cuda_on_cpu::check {

class Clock {
  public:
    void begin_kernel();
    void begin_block();
    void barrier();
    void sync_warp(unsigned warp, unsigned lanes);
    /// The thread has read a variable by an atomic function, or a flag; it writes it so.
    void acquire(const Thread& thread, const void* variable);
    void release(const Thread& thread, const void* variable);

    /// The block that runs, and the first of this launch.
    std::uint32_t block() const { return block_; }
    std::uint32_t first_block() const { return first_block_; }
    /// How many barriers this block has passed.
    std::uint32_t barriers() const { return barriers_; }

    Use now(const Thread& thread, std::uint32_t code, bool atomic) const {
        Use use;
        use.code = code;
        use.block = block_;
        use.barriers = barriers_;
        use.thread = thread.number & 1023U;
        use.atomic = atomic ? 1 : 0;
        use.tick = ticks_[thread.number];
        return use;
    }
    /// Whether `before` happens before all that the thread does now.
    bool is_ordered(const Use& before, const Thread& thread) const {
        if (before.block == block_)
            return before.thread == thread.number || before.barriers < barriers_ ||
                   (uses_ticks_ && is_ordered_by_ticks(before, thread.number));
        return before.block < first_block_ || has_seen_block(before.block);
    }

  private:
    bool is_ordered_by_ticks(const Use& before, unsigned thread) const;
    bool has_seen_block(std::uint32_t block) const;
    void forget_ticks();

    std::uint32_t first_block_ = Use::first_block, block_ = Use::first_block - 1;
    std::uint32_t barriers_ = 0;

    // Since the last barrier. A thread's tick is how often it has made known what it did; what the
    // lanes of its warp, or any threads, have made known to it are ticks of theirs.
    bool uses_ticks_ = false;
    std::uint16_t ticks_[largest_block] = {};
    std::uint16_t known_of_lane_[largest_block][32] = {};
    using Ticks = std::map<unsigned, std::uint16_t>;  // of threads
    static void add(const Ticks& more, Ticks& all);
    Ticks known_of_thread_[largest_block];

    // What atomic functions of a variable make known: whole blocks, from one to another; and
    // threads of the block that runs.
    using Blocks = std::vector<std::pair<std::uint32_t, std::uint32_t>>;  // from, to
    static void add(const Blocks& more, Blocks& all);
    struct Released {
        Blocks blocks;
        std::uint32_t block = 0, barriers = 0;
        Ticks ticks;
    };
    std::map<const void*, Released> released_;
    Blocks seen_;
};

}  // namespace cuda_on_cpu::check
