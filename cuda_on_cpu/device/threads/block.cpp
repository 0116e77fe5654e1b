// SPDX-License-Identifier: MIT
#include "device/threads/block.hpp"

#include <algorithm>
#include <cstdio>
#include <string_view>

#include "device/base/asan.hpp"
#include "device/base/observer.hpp"
#include "device/base/report.hpp"
#include "device/base/within.hpp"

namespace cuda_on_cpu {

using State = Thread::State;

// Made before main(), because the handlers of signals, which must not allocate, ask for it.
[[maybe_unused]] static const Block& first_block = running_block();

bool start_next_thread() { return block_at_work->start_next_thread(); }

// Numbers and orders the threads, unless the last block's numbering still fits.
void Block::number_threads(dim3 size, const Order& order, std::uint64_t block_number) {
    const unsigned count = size.x * size.y * size.z;
    const bool is_forward = order.kind == Order::Kind::forward;
    if (is_forward && is_forward_ && size.x == size_.x && size.y == size_.y && size.z == size_.z)
        return;
    is_forward_ = is_forward;
    size_ = size;
    threads_.resize(count);
    started_.resize(count);
    const Permutation permutation(order, count, block_number);
    for (unsigned number = 0; number < count; ++number) {
        Thread& thread = threads_[number];
        thread.index = {number % size.x, number / size.x % size.y, number / size.x / size.y};
        thread.number = number;
        thread.warp = &warps_.warp_of(number);
        thread.lane = number % 32;
        started_[number] = &threads_[permutation[number]];
    }
}

void Block::prepare(dim3 size, const Order& order, std::uint64_t block_number) {
    number_threads(size, order, block_number);
    is_watched_ = observer != nullptr || has_asan();
    warps_.begin_block(order.kind != Order::Kind::forward, is_watched_);
    schedule_.arrived = schedule_.first_ready = schedule_.last_ready = 0;
    schedule_.line = 0;
    next_start_ = returned_ = predicates_ = at_grid_ = 0;
    std::fill(std::begin(at_tile_), std::end(at_tile_), 0U);
    failure_ = Failure::none;
    stop_after_ = 0;
}

Outcome Block::run(const KernelCall& kernel, uint3 index, dim3 size, const Order& order,
                   std::uint64_t block_number) {
    kernel_ = &kernel;
    cpu_thread_ = pthread_self();
    prepare(size, order, block_number);
    blockIdx = index;
    blockDim = size;
    return run_threads();
}

Outcome Block::resume(uint3 index) {
    blockIdx = index;
    at_grid_ = 0;
    release_all();
    return run_threads();
}

Outcome Block::run_threads() {
    is_running_ = 1;
    schedule = &schedule_;
    if (!schedule_.has_ready()) start_threads(1);
    switch_to_next(host_, &host_place_);
    is_running_ = 0;
    if (at_grid_ > 0 && failure_ == Failure::none) return {cudaSuccess, {}, true};
    if (failure_ == Failure::none) return {};
    abandon();
    if (failure_ == Failure::stopped) return stopped_;
    return {cudaErrorLaunchFailure, failure_text()};
}

void Block::abandon() {
    for (const Fibre* fibre : all_fibres_)  // gives up threads that still wait
        unpoison(fibre->stack_bottom, fibre->stack_bytes);
    idle_ = all_fibres_;
}

void Block::start_thread() {
    Thread& thread = *schedule_.current;
    thread.state = State::running;
    thread.has_fenced = false;
    thread.received = nullptr;
    thread.mbarrier_wait = nullptr;
    is_kernel_beginning = true;
    enter_kernel();
}

[[gnu::noinline]] void Block::leave_fibre(Thread& thread) {
    idle_.push_back(thread.fibre);
    thread.fibre->ends = true;
    switch_to_next(*thread.fibre, &thread.stack_pointer);
}

// A waiting thread that can continue does so before a new one starts.
bool Block::start_next_thread() {
    leave_kernel();
    is_kernel_beginning = false;
    Thread& thread = *schedule_.current;
    thread.state = State::returned;
    returns_ = returns_ + 1;
    ++returned_;
    // Since Volta, a barrier waits only for threads that have not exited.
    if (schedule_.arrived > 0 && schedule_.arrived + returned_ == threads_.size())
        complete_barrier();
    warps_.thread_returned(thread);
    if (schedule_.has_ready() || next_start_ == threads_.size()) leave_fibre(thread);
    Thread& next = *started_[next_start_++];
    next.fibre = thread.fibre;
    schedule_.current = &next;
    threadIdx = next.index;
    start_thread();
    return true;
}

// Gives each of the next threads a fibre.
void Block::start_threads(unsigned count) {
    for (unsigned i = 0; i < count && next_start_ < threads_.size(); ++i) {
        if (idle_.empty()) idle_.push_back(all_fibres_.emplace_back(create_fibre()));
        Thread& thread = *started_[next_start_++];
        thread.fibre = idle_.back();
        idle_.pop_back();
        thread.stack_pointer = start_again(*thread.fibre, [] { block_at_work->run_fibre(); });
        schedule_.make_ready(thread);
    }
}

// Leaves the running fibre, which can continue at `place`, for a thread that can continue. If there
// is none, continues on the host's stack.
void Block::switch_to_next(Fibre& from, void** place) {
    if (!schedule_.has_ready())
        start_threads(32);  // the threads of a warp usually wait at the same place
    if (!schedule_.has_ready() && !warps_.form_coalesced_groups()) {
        if (returned_ < threads_.size() && at_grid_ < threads_.size()) failure_ = Failure::missing;
        return switch_fibre(from, place, host_, host_place_);
    }
    Thread& next = schedule_.take_next();
    schedule_.current = &next;
    threadIdx = next.index;
    if (&next.stack_pointer != place) switch_fibre(from, place, *next.fibre, next.stack_pointer);
}

Thread& Block::arrive(State state, const char* what, const char* file, int line) {
    leave_kernel();
    Thread& thread = *schedule_.current;
    thread.state = state;
    thread.what = what;
    thread.file = file;
    thread.line = line;
    return thread;
}

void Block::wait(Thread& thread) {
    waits_ = waits_ + 1;
    if (stop_after_ > 0)
        stop(cudaErrorLaunchTimeout, [&] {
            return Finding(Kind::endless, "waits in " + waiting_place(thread) +
                                              ", but no thread has returned for " +
                                              std::to_string(stop_after_) +
                                              " s (CUDA_ON_CPU_TIMEOUT)");
        });
    switch_to_next(*thread.fibre, &thread.stack_pointer);
    thread.state = State::running;
    enter_kernel();
}

unsigned Block::barrier(bool predicate, const char* what, const char* file, int line) {
    Thread& thread = arrive(State::at_barrier, what, file, line);
    if (schedule_.arrived++ == 0) {
        first_at_barrier_ = &thread;
        schedule_.file = file;
        schedule_.line = is_watched_ ? 0 : line;
    }
    const Thread& first = *first_at_barrier_;
    if (line != first.line || (file != first.file && std::string_view(file) != first.file))
        fail(Failure::different_barriers);
    if (predicate) ++predicates_;
    if (schedule_.arrived + returned_ == threads_.size()) complete_barrier();
    wait(thread);
    return released_predicates_;
}

void Block::complete_barrier() {
    released_predicates_ = predicates_;
    schedule_.arrived = predicates_ = 0;
    schedule_.line = 0;
    if (observer != nullptr) {
        observer->barrier();
        if (returned_ > 0) observer->exited_before(*first_at_barrier_, returned_);
    }
    release_all();
}

void Block::release_all() {
    schedule_.first_ready = 0;
    schedule_.last_ready = static_cast<unsigned>(threads_.size()) - returned_;
    if (returned_ == 0)
        std::copy(started_.begin(), started_.end(), schedule_.ready);
    else
        std::copy_if(started_.begin(), started_.end(), schedule_.ready,
                     [](const Thread* thread) { return thread->state != State::returned; });
}

void Block::tile_barrier(unsigned first, unsigned count, const char* file, int line) {
    Thread& thread = arrive(State::at_tile, "a tile's sync", file, line);
    if (++at_tile_[first / 32] == count) {
        at_tile_[first / 32] = 0;
        for (unsigned number = first; number < first + count; ++number)
            schedule_.make_ready(threads_[number]);
    }
    wait(thread);
}

void Block::wait_for_grid(const char* file, int line) {
    Thread& thread = arrive(State::at_grid, "grid.sync", file, line);
    ++at_grid_;
    wait(thread);
}

// All other threads run first, because the thread may be waiting for something that one of them
// does.
void Block::let_others_run() {
    const bool is_alone = !schedule_.has_ready() && next_start_ == threads_.size();
    if (is_alone || uninterrupted != 0) return;
    leave_kernel();
    Thread& thread = *schedule_.current;
    const bool begins = is_kernel_beginning;
    start_threads(32);
    schedule_.make_ready(thread);
    turns_ = turns_ + 1;
    switch_to_next(*thread.fibre, &thread.stack_pointer);
    is_kernel_beginning = begins;
    enter_kernel();
}

WarpValues Block::exchange(WarpFunction function, const char* name, unsigned mask,
                           std::uint64_t value, const char* file, int line) {
    Thread& thread = arrive(State::at_warp, name, file, line);
    if (!warps_.arrive(thread, function, mask, value)) fail(Failure::mask);
    wait(thread);
    return {thread.received->value, thread.present, thread.lane};
}

// Objects on the thread's stack are not destroyed. The host writes the report.
void Block::fail(Failure failure) {
    failure_ = failure;
    switch_fibre(*schedule_.current->fibre, &schedule_.current->stack_pointer, host_, host_place_);
    __builtin_unreachable();  // the fibre starts again
}

void Block::trap(const char* file, int line) {
    arrive(State::running, "__trap", file, line);
    fail(Failure::trap);
}

bool Block::is_on_stack(const void* address) const {
    return within(address, schedule_.current->fibre->top - local_memory_bytes(),
                  local_memory_bytes());
}

void Block::stop(cudaError_t error, const std::function<Finding()>& what_it_does) {
    uninterrupted = 0;
    leave_kernel();
    stopped_ = {error, "thread " + text_of(schedule_.current->index) + " " + what_it_does()};
    fail(Failure::stopped);
}

Finding Block::failure_text() {
    if (failure_ == Failure::missing) {
        Finding text = "not all threads arrive: " + who_waits();
        const bool is_shuffle = std::any_of(threads_.begin(), threads_.end(), [](const Thread& t) {
            return t.state == State::at_warp && std::string_view(t.what).starts_with("__shfl");
        });
        text.kind = is_shuffle ? Kind::wrong_mask : Kind::missed_barrier;
        return text;
    }
    if (failure_ == Failure::different_barriers)
        return {Kind::different_barriers,
                "threads of a block wait at different barriers: " + who_waits()};
    const Thread& thread = current();
    Finding text(failure_ == Failure::mask ? Kind::wrong_mask : Kind::trap,
                 "thread " + text_of(thread.index) + " calls " + waiting_place(thread));
    if (failure_ == Failure::mask) {
        char mask[64];
        std::snprintf(mask, sizeof mask, " with the mask 0x%08x, which does not contain it",
                      thread.mask);
        text += mask;
    }
    return text;
}

// The switches in assembler leave some of a thread's state as it was.
Finding Block::who_waits() {
    for (unsigned i = next_start_; i < started_.size(); ++i) started_[i]->state = State::unstarted;
    for (unsigned i = schedule_.first_ready; i != schedule_.last_ready; ++i)
        schedule_.ready[i % largest_block]->state = State::running;
    for (Thread& thread : threads_)
        if (thread.state == State::at_barrier && &thread != schedule_.current) {
            thread.what = first_at_barrier_->what;
            thread.file = first_at_barrier_->file;
            thread.line = first_at_barrier_->line;
        }
    return describe_threads(threads_);
}

}  // namespace cuda_on_cpu
