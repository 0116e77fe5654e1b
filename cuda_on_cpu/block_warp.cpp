// Copyright (c) 2026 The Convolab authors
// SPDX-License-Identifier: MIT
//
// The block's part for warps: lanes bring a value each, and the last one to arrive hands them
// round.
#include <algorithm>
#include <string_view>

#include "accesses.hpp"
#include "block.hpp"
#include "warp.hpp"

namespace cuda_on_cpu {

using State = Thread::State;

WarpValues exchange(WarpFunction function, const char* name, unsigned mask, std::uint64_t value,
                    const char* file, int line) {
    return running_block().exchange(function, name, mask, value, file, line);
}
unsigned coalesced_lanes(const char* file, int line) {
    return exchange(WarpFunction::coalesce, "coalesced_threads", ~0U, 0, file, line).present;
}
unsigned active_mask() { return running_block().active_mask(); }
unsigned lane_number() { return running_block().current().number % 32; }

unsigned Block::active_mask() const { return warp_alive_[current_->number / 32]; }

// The lanes that the thread's mask names, of those that exist; one that has returned will not come.
unsigned Block::lanes_of(const Thread& thread) const {
    const std::size_t exist = threads_.size() - thread.number / 32 * 32;
    return thread.mask & (exist >= 32 ? ~0U : (1U << exist) - 1);
}

bool Block::can_complete(const Thread& thread) const {
    const unsigned warp = thread.number / 32;
    const unsigned needed = lanes_of(thread);
    if ((warp_waiting_[warp] & needed) != needed) return false;
    for (unsigned lane = 0; lane < 32; ++lane) {
        if ((needed >> lane & 1U) == 0) continue;
        const Thread& other = threads_[32 * warp + lane];
        if (other.function != thread.function || other.mask != thread.mask) return false;
    }
    return true;
}

// Some lanes may be in another exchange before all have read the values of this one, so each
// exchange has its own.
void Block::complete_exchange(const Thread& thread) {
    const unsigned first = thread.number / 32 * 32;
    const unsigned lanes = lanes_of(thread);
    warp_waiting_[first / 32] &= ~lanes;
    if (observer != nullptr) observer->warp_function(thread.function, first / 32, lanes);
    auto& all = exchanged_[first / 32];
    auto free = std::find_if(all.begin(), all.end(), [](auto& old) { return old.holders == 0; });
    ExchangedValues& values = free == all.end() ? all.emplace_back() : *free;
    values.holders = lanes;
    for (unsigned lane = 0; lane < 32; ++lane) {
        if ((lanes >> lane & 1U) == 0) continue;
        Thread& other = threads_[first + lane];
        values.value[lane] = other.value;
        other.received = &values;
        other.present = lanes;
        runs_ahead_ ? make_ready_first(other) : make_ready(other);
    }
}

// coalesced_threads(): no thread of the block can run any more, so the lanes of a warp that have
// come to the same call are together. A lane that did not come has gone another way.
bool Block::form_coalesced_groups() {
    bool formed = false;
    for (Thread& first : threads_) {
        if (first.state != State::at_warp || first.function != WarpFunction::coalesce) continue;
        const unsigned warp = first.number / 32;
        unsigned lanes = 0;
        for (unsigned number = first.number; number < threads_.size() && number / 32 == warp;
             ++number) {
            const Thread& other = threads_[number];
            if (other.state == State::at_warp && other.function == WarpFunction::coalesce &&
                other.line == first.line && std::string_view(other.file) == first.file)
                lanes |= 1U << number % 32;
        }
        for (unsigned lane = 0; lane < 32; ++lane)
            if ((lanes >> lane & 1U) != 0) threads_[32 * warp + lane].mask = lanes;
        complete_exchange(first);
        formed = true;
    }
    return formed;
}

WarpValues Block::exchange(WarpFunction function, const char* name, unsigned mask,
                           std::uint64_t value, const char* file, int line) {
    Thread& thread = *current_;
    // Of these functions CUDA gives the order of memory accesses to __syncwarp alone.
    if (function == WarpFunction::sync) tsan_.come_to_warp(thread.number);
    leave_kernel();
    thread.state = State::at_warp;
    thread.what = name;
    thread.file = file;
    thread.line = line;
    thread.function = function;
    thread.mask = mask;
    thread.value = value;
    if (thread.received != nullptr) thread.received->holders &= ~(1U << thread.number % 32);
    thread.received = nullptr;
    if ((mask >> thread.number % 32 & 1U) == 0) give_up(Failure::mask);
    warp_waiting_[thread.number / 32] |= 1U << thread.number % 32;
    if (function != WarpFunction::coalesce && can_complete(thread)) complete_exchange(thread);
    wait(thread);
    enter_kernel();
    if (function == WarpFunction::sync) tsan_.leave_warp(thread.number);
    return {thread.received->value, thread.present};
}

}  // namespace cuda_on_cpu
