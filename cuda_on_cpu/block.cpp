// Copyright (c) 2026 The Convolab authors
// SPDX-License-Identifier: MIT
//
#include "block.hpp"

#include <algorithm>
#include <string_view>

#include "accesses.hpp"
#include "report.hpp"
#include "sanitizers.hpp"

// Built-in variables are plain globals: thread_local ones would lie among the shared memory.
uint3 threadIdx{};
uint3 blockIdx{};
dim3 blockDim;
dim3 gridDim;

namespace cuda_on_cpu {

using State = Thread::State;

namespace {

Block*& running() {
    static Block* block = new Block;  // outlives the program's own static objects
    return block;
}

}  // namespace

Block& running_block() { return *running(); }

Block& block_of_set(unsigned set) {
    static Block* const blocks[] = {running(), new Block};
    return *(running() = blocks[set]);
}

Block& block_of_grid(std::size_t number) {
    static auto& blocks = *new std::vector<Block*>;
    while (blocks.size() <= number) blocks.push_back(new Block);
    return *(running() = blocks[number]);
}

unsigned barrier(bool predicate, const char* what, const char* file, int line) {
    return running_block().barrier(predicate, what, file, line);
}

void tile_barrier(unsigned first, unsigned count, const char* file, int line) {
    running_block().tile_barrier(first, count, file, line);
}
void wait_for_grid(const char* file, int line) { running_block().wait_for_grid(file, line); }
void sleep(const char* file, int line) { running_block().sleep(file, line); }

void trap(const char* file, int line) { running_block().trap(file, line); }
void fail(const char* what_it_does, const char* file, int line) {
    const std::string text =
        std::string(what_it_does) + ", at " + file + ":" + std::to_string(line);
    running_block().stop(cudaErrorLaunchFailure, [text] { return text; });
}

void fence() {
    running_block().fence();
    if (observer != nullptr) observer->fence(running_block().current());
}
void order_by_atomic(void* address) { running_block().order_by_atomic(address); }
void sum_of_floats(double sum) {
    if (observer != nullptr) observer->sum_of_floats(sum);
}

void Block::prepare(dim3 size, const Order& order, std::uint64_t block_number) {
    const unsigned count = size.x * size.y * size.z;
    threads_.resize(count);
    started_.resize(count);
    const Permutation permutation(order, count, block_number);
    unsigned number = 0;
    for (unsigned z = 0; z < size.z; ++z)
        for (unsigned y = 0; y < size.y; ++y)
            for (unsigned x = 0; x < size.x; ++x, ++number) {
                Thread& thread = threads_[number];
                thread.index = {x, y, z};
                thread.number = number;
                thread.has_fenced = false;
                thread.received = nullptr;
                thread.state = State::unstarted;
                started_[number] = static_cast<unsigned>(permutation[number]);
            }
    std::fill(std::begin(warp_waiting_), std::end(warp_waiting_), 0U);
    for (auto& warp : exchanged_)
        for (ExchangedValues& values : warp) values.holders = 0;
    for (unsigned warp = 0; warp * 32 < count; ++warp)
        warp_alive_[warp] = count - warp * 32 >= 32 ? ~0U : (1U << (count - warp * 32)) - 1;
    next_start_ = returned_ = arrived_ = predicates_ = at_grid_ = 0;
    first_ready_ = last_ready_ = 0;
    starts_one_ = false;
    std::fill(std::begin(at_tile_), std::end(at_tile_), 0U);
    runs_ahead_ = order.kind != Order::Kind::forward;
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
    tsan_.begin_block(threads_.size());
    return run_threads();
}

Outcome Block::go_on(uint3 index) {
    blockIdx = index;
    at_grid_ = 0;
    tsan_.go_on();
    for (const unsigned number : started_) make_ready(threads_[number]);
    return run_threads();
}

Outcome Block::run_threads() {
    is_running_ = 1;
    switch_fibre(host_, *next_fibre());
    is_running_ = 0;
    tsan_.end_block();
    if (at_grid_ > 0 && failure_ == Failure::none) return {cudaSuccess, {}, true};
    idle_.insert(idle_.end(), resting_.begin(), resting_.end());
    resting_.clear();
    if (failure_ == Failure::none) return {};
    abandon();
    if (failure_ == Failure::stopped) return stopped_;
    return {cudaErrorLaunchFailure, failure_text()};
}

void Block::abandon() {
    tsan_.forget_threads();
    for (Fibre* fibre : all_fibres_)  // threads that still wait are given up
        restart_fibre(*fibre, [] { running_block().fibre_main(); });
    idle_ = all_fibres_;
    resting_.clear();
}

void Block::run_thread(Thread& thread) {
    current_ = &thread;
    thread.state = State::running;
    threadIdx = thread.index;
    is_kernel_beginning = true;
    enter_kernel();
    kernel_->run_thread();
    leave_kernel();
    is_kernel_beginning = false;
    returns_ = returns_ + 1;
    thread.state = State::returned;
    warp_alive_[thread.number / 32] &= ~(1U << thread.number % 32);
    ++returned_;
}

// TSan must take the emulator's own work for the host's, not for the CUDA thread's on whose behalf
// it is done.
void Block::leave_kernel() {
    in_kernel_ = 0;
    thread_at_work = nullptr;
    tsan_.run_host();
}
void Block::enter_kernel() {
    tsan_.run_thread(current_->number);
    thread_at_work = current_;
    in_kernel_ = 1;
}

// What every fibre does for ever.
void Block::fibre_main() {
    Fibre* const self = idle_.back();  // next_fibre() gave us this one and left it there
    idle_.pop_back();
    // To TSan two threads on one stack would be a race for the stack.
    const bool one_thread_each = has_tsan();
    for (;;) {
        while ((first_ready_ == last_ready_ || starts_one_) && next_start_ < threads_.size()) {
            starts_one_ = false;
            Thread& thread = threads_[started_[next_start_++]];
            thread.fibre = self;
            run_thread(thread);
            if (one_thread_each) break;
        }
        Fibre* const next = next_fibre();
        (one_thread_each ? resting_ : idle_).push_back(self);
        switch_fibre(*self, *next);
        idle_.pop_back();
    }
}

// A fibre that can go on. An idle one stays on top of idle_ and takes itself off when it runs.
Fibre* Block::next_fibre() {
    if (first_ready_ != last_ready_ && !starts_one_) {
        Fibre* const next = ready_[first_ready_++ % largest_block]->fibre;
        // The stacks of a block are more than the first cache holds: get the one after it.
        if (first_ready_ != last_ready_) prefetch(*ready_[first_ready_ % largest_block]->fibre);
        return next;
    }
    if (next_start_ < threads_.size()) {
        if (idle_.empty()) {
            idle_.push_back(create_fibre([] { running_block().fibre_main(); }));
            all_fibres_.push_back(idle_.back());
        }
        return idle_.back();
    }
    if (form_coalesced_groups()) return next_fibre();
    if (returned_ < threads_.size() && at_grid_ < threads_.size()) failure_ = Failure::missing;
    return &host_;
}

void Block::make_ready(Thread& thread) {
    thread.state = State::ready;
    ready_[last_ready_++ % largest_block] = &thread;
}
void Block::make_ready_first(Thread& thread) {
    thread.state = State::ready;
    ready_[--first_ready_ % largest_block] = &thread;
}

void Block::wait(Thread& thread) {
    waits_ = waits_ + 1;
    if (stop_after_ > 0)
        stop(cudaErrorLaunchTimeout, [&] {
            return "waits in " + place(thread) + ", but no thread has returned for " +
                   std::to_string(stop_after_) + " s (CUDA_ON_CPU_TIMEOUT)";
        });
    Fibre* const next = next_fibre();
    if (next != thread.fibre) switch_fibre(*thread.fibre, *next);
    current_ = &thread;
    thread.state = State::running;
    threadIdx = thread.index;
}

unsigned Block::barrier(bool predicate, const char* what, const char* file, int line) {
    leave_kernel();
    Thread& thread = *current_;
    thread.state = State::at_barrier;
    thread.what = what;
    thread.file = file;
    thread.line = line;
    if (arrived_++ == 0) first_at_barrier_ = &thread;
    const Thread& first = *first_at_barrier_;
    if (line != first.line || (file != first.file && std::string_view(file) != first.file))
        give_up(Failure::different_barriers);
    if (predicate) ++predicates_;
    if (arrived_ == threads_.size()) {
        released_predicates_ = predicates_;
        arrived_ = predicates_ = 0;
        tsan_.order_all();
        if (observer != nullptr) observer->barrier();
        for (const unsigned number : started_) make_ready(threads_[number]);
    }
    wait(thread);
    enter_kernel();
    return released_predicates_;
}

void Block::tile_barrier(unsigned first, unsigned count, const char* file, int line) {
    leave_kernel();
    Thread& thread = *current_;
    thread.state = State::at_barrier;
    thread.what = "a tile's sync";
    thread.file = file;
    thread.line = line;
    if (++at_tile_[first / 32] == count) {
        at_tile_[first / 32] = 0;
        tsan_.order_all();
        for (unsigned number = first; number < first + count; ++number)
            make_ready(threads_[number]);
    }
    wait(thread);
    enter_kernel();
}

void Block::wait_for_grid(const char* file, int line) {
    leave_kernel();
    Thread& thread = *current_;
    thread.state = State::at_barrier;
    thread.what = "grid.sync";
    thread.file = file;
    thread.line = line;
    ++at_grid_;
    wait(thread);
    enter_kernel();
}

// All others have their turn first: what the thread waits for may be theirs to do.
void Block::sleep(const char* file, int line) {
    leave_kernel();
    Thread& thread = *current_;
    thread.what = "__nanosleep";
    thread.file = file;
    thread.line = line;
    make_ready(thread);
    starts_one_ = next_start_ < threads_.size();
    wait(thread);
    enter_kernel();
}

// What the thread still has on its stack is not destroyed. The report is written by the host.
void Block::give_up(Failure failure) {
    failure_ = failure;
    switch_fibre(*current_->fibre, host_);
    __builtin_unreachable();  // the fibre starts again
}

void Block::trap(const char* file, int line) {
    leave_kernel();
    current_->what = "__trap";
    current_->file = file;
    current_->line = line;
    give_up(Failure::trap);
}

bool Block::is_stack_guard(const void* address) const {
    return cuda_on_cpu::is_stack_guard(*current_->fibre, address);
}

void Block::order_by_atomic(void* address) const {
    tsan_acquire(address);
    if (current_->has_fenced) tsan_release(address);
}

void Block::stop(cudaError_t error, const std::function<std::string()>& what_it_does) {
    leave_kernel();
    stopped_ = {error, "thread " + text_of(current_->index) + " " + what_it_does()};
    give_up(Failure::stopped);
}

}  // namespace cuda_on_cpu
