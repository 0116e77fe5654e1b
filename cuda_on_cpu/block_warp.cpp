// Copyright (c) 2026 The Convolab authors
// SPDX-License-Identifier: MIT
//
// The block's part for warps: lanes bring a value each, and the last one to arrive hands them
// round.
#include "block.hpp"
#include "warp.hpp"

namespace cuda_on_cpu {

using State = Thread::State;

WarpValues exchange(WarpFunction function, const char* name, unsigned mask, std::uint64_t value,
                    const char* file, int line) {
    return running_block().exchange(function, name, mask, value, file, line);
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

// Values are kept per thread until each lane of the mask has read them: those lanes have to arrive
// before the next exchange between them can complete, so nothing is overwritten too early.
void Block::complete_exchange(const Thread& thread) {
    const unsigned first = thread.number / 32 * 32;
    const unsigned lanes = lanes_of(thread);
    warp_waiting_[first / 32] &= ~lanes;
    for (unsigned lane = 0; lane < 32; ++lane) {
        if ((lanes >> lane & 1U) == 0) continue;
        Thread& other = threads_[first + lane];
        warp_values_[first + lane] = other.value;
        other.present = lanes;
        runs_ahead_ ? make_ready_first(other) : make_ready(other);
    }
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
    if ((mask >> thread.number % 32 & 1U) == 0) give_up(Failure::mask);
    warp_waiting_[thread.number / 32] |= 1U << thread.number % 32;
    if (can_complete(thread)) complete_exchange(thread);
    wait(thread);
    enter_kernel();
    if (function == WarpFunction::sync) tsan_.leave_warp(thread.number);
    return {&warp_values_[thread.number / 32 * 32], thread.present};
}

}  // namespace cuda_on_cpu
