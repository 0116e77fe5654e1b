// SPDX-License-Identifier: MIT
// A block's warp functions: each lane brings a value, and the last lane to arrive passes the values
// to all.
#pragma once

#include <deque>
#include <vector>

#include "device/threads/schedule.hpp"

namespace cuda_on_cpu {

class WarpExchange {
  public:
    WarpExchange(std::vector<Thread>& threads, Schedule& schedule)
        : threads_(threads), schedule_(schedule) {}
    WarpExchange(const WarpExchange&) = delete;
    WarpExchange& operator=(const WarpExchange&) = delete;

    Warp& warp_of(unsigned number) { return warps_[number / 32]; }
    /// `runs_ahead`: a warp that can continue does so before the others.
    void begin_block(bool runs_ahead, bool is_watched);
    /// The lane brings its value; false if its mask does not contain it.
    bool arrive(Thread& thread, WarpFunction function, unsigned mask, std::uint64_t value);
    /// Since Volta, warp functions wait only for threads that have not exited.
    void thread_returned(const Thread& thread) {
        thread.warp->alive &= ~(1U << thread.lane);
        thread.warp->mask = 0;
        if (thread.warp->waiting != 0) complete_without(thread);
    }
    /// For coalesced_threads() and __activemask(), when no thread of the block can run: the lanes of a warp that have
    /// reached the same call form a group. The other lanes have taken a different branch.
    bool form_coalesced_groups();

  private:
    unsigned missing_lanes(const Thread& thread) const;
    void complete(const Thread& thread);
    void complete_without(const Thread& returned);
    ExchangedValues& free_values(unsigned warp);

    std::vector<Thread>& threads_;
    Schedule& schedule_;
    Warp warps_[largest_block / 32] = {};
    std::deque<ExchangedValues> exchanged_[largest_block / 32];  // for each warp
    bool runs_ahead_ = false, is_watched_ = false;
};

}  // namespace cuda_on_cpu
