// SPDX-License-Identifier: MIT
#include "clock.hpp"

#include <algorithm>
#include <cstring>

namespace cuda_on_cpu::check {

void Clock::begin_kernel() {
    first_block_ = block_ + 1;
    released_.clear();
}

void Clock::begin_block() {
    ++block_;
    barriers_ = 0;
    seen_.clear();
    forget_ticks();
}

void Clock::barrier() {
    ++barriers_;
    forget_ticks();
}

void Clock::forget_ticks() {
    if (!uses_ticks_) return;
    uses_ticks_ = false;
    std::memset(ticks_, 0, sizeof ticks_);
    std::memset(known_of_lane_, 0, sizeof known_of_lane_);
    for (auto& known : known_of_thread_) known.clear();
}

void Clock::sync_warp(unsigned warp, unsigned lanes) {
    uses_ticks_ = true;
    std::uint16_t known[32] = {};
    Ticks of_threads;
    for (unsigned lane = 0; lane < 32; ++lane) {
        if ((lanes >> lane & 1U) == 0) continue;
        const unsigned thread = 32 * warp + lane;
        known[lane] = ++ticks_[thread];
        for (unsigned other = 0; other < 32; ++other)
            known[other] = std::max(known[other], known_of_lane_[thread][other]);
        add(known_of_thread_[thread], of_threads);
    }
    for (unsigned lane = 0; lane < 32; ++lane) {
        if ((lanes >> lane & 1U) == 0) continue;
        std::memcpy(known_of_lane_[32 * warp + lane], known, sizeof known);
        if (!of_threads.empty()) known_of_thread_[32 * warp + lane] = of_threads;
    }
}

bool Clock::is_ordered_by_ticks(const Use& before, unsigned thread) const {
    if (before.thread / 32 == thread / 32 &&
        known_of_lane_[thread][before.thread % 32] > before.tick)
        return true;
    const auto known = known_of_thread_[thread].find(before.thread);
    return known != known_of_thread_[thread].end() && known->second > before.tick;
}

bool Clock::has_seen_block(std::uint32_t block) const {
    return std::any_of(seen_.begin(), seen_.end(), [=](const auto& range) {
        return range.first <= block && block <= range.second;
    });
}

void Clock::add(const Blocks& more, Blocks& all) {
    for (const auto& range : more) {
        const auto near = std::find_if(all.begin(), all.end(), [&](const auto& other) {
            return range.first <= other.second + 1 && other.first <= range.second + 1;
        });
        if (near == all.end())
            all.push_back(range);
        else
            *near = {std::min(near->first, range.first), std::max(near->second, range.second)};
    }
}

void Clock::add(const Ticks& more, Ticks& all) {
    for (const auto& [thread, tick] : more) {
        std::uint16_t& known = all[thread];
        known = std::max(known, tick);
    }
}

void Clock::acquire(const Thread& thread, const void* variable) {
    const auto found = released_.find(variable);
    if (found == released_.end()) return;
    const Released& released = found->second;
    add(released.blocks, seen_);
    if (released.block != block_ || released.barriers != barriers_) return;
    add(released.ticks, known_of_thread_[thread.number]);
}

void Clock::release(const Thread& thread, const void* variable) {
    if (!thread.has_fenced) return;
    uses_ticks_ = true;
    Released& released = released_[variable];
    add(seen_, released.blocks);
    add({{block_, block_}}, released.blocks);
    if (released.block != block_ || released.barriers != barriers_) released.ticks.clear();
    released.block = block_;
    released.barriers = barriers_;
    add(known_of_thread_[thread.number], released.ticks);
    for (unsigned lane = 0; lane < 32; ++lane)
        if (const std::uint16_t tick = known_of_lane_[thread.number][lane])
            add({{thread.number / 32 * 32 + lane, tick}}, released.ticks);
    released.ticks[thread.number] = ++ticks_[thread.number];
}

}  // namespace cuda_on_cpu::check
