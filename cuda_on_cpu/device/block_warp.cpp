// SPDX-License-Identifier: MIT
// A block's warp functions: each lane brings a value, and the last lane to arrive passes the values
// to all.
#include <algorithm>
#include <cstdio>
#include <set>
#include <string_view>

#include "device/accesses.hpp"
#include "device/block.hpp"
#include "device/report.hpp"
#include "warp.hpp"

namespace cuda_on_cpu {

using State = Thread::State;

unsigned coalesced_lanes(const char* file, int line) {
    return running_block()
        .exchange(WarpFunction::coalesce, "coalesced_threads", ~0U, 0, file, line)
        .present;
}
void tell_stranger(const ShuffleCall& call, unsigned lane) {
    running_block().tell_stranger(call, lane);
}
void tell_wrong(const ShuffleCall& call, const char* what, unsigned value, const char* why) {
    running_block().tell_wrong(call, what, value, why);
}
void tell_same_array(const char* first, const char* second, const char* file, int line) {
    const std::string names = std::string(first) + " and " + second,
                      place = std::string(file) + ":" + std::to_string(line);
    running_block().tell_once(
        place, "uses " + names + " at " + place +
                   ", but both begin at the same address: there is one dynamic shared memory. "
                   "Remedy: declare one array, and let the second begin behind the first: " +
                   second + " = " + first + " + the first's count.");
}
unsigned active_mask() { return running_block().active_mask(); }
unsigned lane_number() { return schedule->current->lane; }

unsigned Block::active_mask() const { return schedule_.current->warp->alive; }

// The kernel continues, as on a GPU.
void Block::tell_once(const std::string& place, const std::string& what) {
    leave_kernel();
    static auto& told = *new std::set<std::string>;
    if (told.insert(place).second)
        report(name_of(*launch_at_work) + ": block " + text_of(blockIdx) + ": thread " +
               text_of(schedule_.current->index) + " " + what);
    enter_kernel();
}

void Block::tell_shuffle(const ShuffleCall& call, const std::string& what) {
    const std::string at =
        std::string(call.name) + " at " + call.file + ":" + std::to_string(call.line);
    tell_once(at + what.substr(0, 5), "calls " + at + ": " + what);
}

void Block::tell_stranger(const ShuffleCall& call, unsigned lane) {
    const Thread& thread = *schedule_.current;
    const unsigned number = thread.number - thread.lane + lane;
    char mask[16];
    std::snprintf(mask, sizeof mask, "0x%08x", call.mask);
    std::string why = std::string("is not in the mask ") + mask;
    if (number >= threads_.size())
        why = "does not exist: the block has " + std::to_string(threads_.size()) + " threads";
    else if ((call.mask >> lane & 1U) != 0)
        why = "has returned";
    tell_shuffle(call, "lane " + std::to_string(thread.lane) + " reads lane " +
                           std::to_string(lane) + ", which " + why +
                           "; on a GPU the value is undefined. Remedy: read only lanes that take "
                           "part, with smaller distances, or let all lanes call it: a lane "
                           "without data passes a value that changes nothing, such as 0 in a sum.");
}

void Block::tell_wrong(const ShuffleCall& call, const char* what, unsigned value, const char* why) {
    tell_shuffle(call, std::string(what) + " is " + std::to_string(static_cast<int>(value)) +
                           ", but " + why + "; on a GPU the value is undefined.");
}

// The lanes that the thread's exchange still waits for, without those that have returned.
unsigned Block::missing(const Thread& thread) const {
    const Warp& warp = *thread.warp;
    unsigned missing = 0;
    for (unsigned lane = 0; lane < 32; ++lane) {
        if ((thread.mask & warp.alive & 1U << lane) == 0) continue;
        const Thread& other = (&thread)[static_cast<int>(lane) - static_cast<int>(thread.lane)];
        if ((warp.waiting >> lane & 1U) == 0 || other.function != thread.function ||
            other.mask != thread.mask)
            missing |= 1U << lane;
    }
    return missing;
}

ExchangedValues& Block::free_values(unsigned warp) {
    for (ExchangedValues& values : exchanged_[warp])
        if (values.holders == 0) return values;
    return exchanged_[warp].emplace_back();
}

// Some lanes may start another exchange before all have read this one's values, so each exchange
// needs separate values.
void Block::complete_exchange(const Thread& thread) {
    const unsigned first = thread.number / 32 * 32;
    Warp& warp = *thread.warp;
    const unsigned lanes = thread.mask & warp.alive;
    warp.waiting &= ~lanes;
    warp.mask = is_watched_ ? 0 : thread.mask;
    warp.function = thread.function;
    warp.missing = lanes;
    if (observer != nullptr) {
        observer->warp_function(thread.function, first / 32, lanes);
        const std::size_t exist = threads_.size() - first;
        const unsigned returned = thread.mask & ~lanes & (exist >= 32 ? ~0U : (1U << exist) - 1);
        if (returned != 0 && thread.function != WarpFunction::coalesce)
            observer->exited_before(thread, static_cast<unsigned>(__builtin_popcount(returned)));
    }
    ExchangedValues& values = free_values(first / 32);
    values.holders = lanes;
    std::copy(std::begin(warp.value), std::end(warp.value), values.value);
    for (unsigned lane = 0; lane < 32; ++lane) {
        if ((lanes >> lane & 1U) == 0) continue;
        Thread& other = threads_[first + lane];
        other.received = &values;
        other.present = lanes;
        other.state = State::running;
        runs_ahead_ ? make_ready_first(other) : make_ready(other);
    }
}

// Implements coalesced_threads(). No thread of the block can run, so the lanes of a warp that have
// reached the same call form a group. The other lanes have taken a different branch.
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

void Block::come_to_exchange(const Thread& thread) {
    Warp& warp = *thread.warp;
    if (warp.mask == thread.mask && warp.function == thread.function)
        warp.missing &= ~(1U << thread.lane);
    else
        warp.missing = missing(thread);
    warp.mask = is_watched_ ? 0 : thread.mask;
    warp.function = thread.function;
    if (warp.missing == 0) complete_exchange(thread);
}

WarpValues Block::exchange(WarpFunction function, const char* name, unsigned mask,
                           std::uint64_t value, const char* file, int line) {
    Thread& thread = come_to(State::at_warp, name, file, line);
    Warp& warp = *thread.warp;
    thread.function = function;
    thread.mask = mask;
    warp.value[thread.lane] = value;
    if (thread.received != nullptr) thread.received->holders &= ~(1U << thread.lane);
    thread.received = nullptr;
    if ((mask >> thread.lane & 1U) == 0) give_up(Failure::mask);
    warp.waiting |= 1U << thread.lane;
    if (function != WarpFunction::coalesce) come_to_exchange(thread);
    wait(thread);
    return {thread.received->value, thread.present, thread.lane};
}

}  // namespace cuda_on_cpu
