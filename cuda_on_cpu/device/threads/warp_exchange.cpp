// SPDX-License-Identifier: MIT
#include "device/threads/warp_exchange.hpp"

#include <algorithm>
#include <string_view>

#include "device/base/observer.hpp"

namespace cuda_on_cpu {

using State = Thread::State;

void WarpExchange::begin_block(bool runs_ahead, bool is_watched) {
    runs_ahead_ = runs_ahead;
    is_watched_ = is_watched;
    for (auto& warp : exchanged_)
        for (ExchangedValues& values : warp) values.holders = 0;
    for (unsigned first = 0; first < threads_.size(); first += 32) {
        Warp& warp = warp_of(first);
        warp.mask = warp.waiting = 0;
        warp.alive = threads_.size() - first >= 32 ? ~0U : (1U << (threads_.size() - first)) - 1;
    }
}

bool WarpExchange::arrive(Thread& thread, WarpFunction function, unsigned mask,
                          std::uint64_t value) {
    Warp& warp = *thread.warp;
    thread.function = function;
    thread.mask = mask;
    warp.value[thread.lane] = value;
    if (thread.received != nullptr) thread.received->holders &= ~(1U << thread.lane);
    thread.received = nullptr;
    if ((mask >> thread.lane & 1U) == 0) return false;
    warp.waiting |= 1U << thread.lane;
    if (function == WarpFunction::coalesce) return true;
    if (warp.mask == mask && warp.function == function)
        warp.missing &= ~(1U << thread.lane);
    else
        warp.missing = missing_lanes(thread);
    warp.mask = is_watched_ ? 0 : mask;
    warp.function = function;
    if (warp.missing == 0) complete(thread);
    return true;
}

// The lanes that the thread's exchange still waits for, without those that have returned.
unsigned WarpExchange::missing_lanes(const Thread& thread) const {
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

void WarpExchange::complete_without(const Thread& returned) {
    const Warp& warp = *returned.warp;
    const unsigned first = returned.number - returned.lane;
    for (unsigned lane = 0; lane < 32; ++lane) {
        if ((warp.waiting >> lane & 1U) == 0) continue;
        const Thread& thread = threads_[first + lane];
        if (thread.function != WarpFunction::coalesce && missing_lanes(thread) == 0)
            complete(thread);
    }
}

ExchangedValues& WarpExchange::free_values(unsigned warp) {
    for (ExchangedValues& values : exchanged_[warp])
        if (values.holders == 0) return values;
    return exchanged_[warp].emplace_back();
}

// Some lanes may start another exchange before all have read this one's values, so each exchange
// needs separate values.
void WarpExchange::complete(const Thread& thread) {
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
        runs_ahead_ ? schedule_.make_ready_first(other) : schedule_.make_ready(other);
    }
}

bool WarpExchange::form_coalesced_groups() {
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
        complete(first);
        formed = true;
    }
    return formed;
}

}  // namespace cuda_on_cpu
