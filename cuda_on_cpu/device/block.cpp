// SPDX-License-Identifier: MIT
#include "device/block.hpp"

#include <algorithm>
#include <string_view>

#include "device/accesses.hpp"
#include "device/report.hpp"
#include "device/asan.hpp"
#include "include/uninterrupted.hpp"

// Built-in variables are plain globals, because thread_local ones would lie in shared memory.
uint3 threadIdx{};
uint3 blockIdx{};
dim3 blockDim;
dim3 gridDim;

namespace cuda_on_cpu {

using State = Thread::State;

Block& block_of_grid(std::size_t number) {
    static auto& blocks = *new std::vector<Block*>;
    while (blocks.size() <= number) blocks.push_back(new Block);
    return *(block_at_work = blocks[number]);
}

unsigned barrier(bool predicate, const char* what, const char* file, int line) {
    return block_at_work->barrier(predicate, what, file, line);
}

void tile_barrier(unsigned first, unsigned count, const char* file, int line) {
    running_block().tile_barrier(first, count, file, line);
}
void wait_for_grid(const char* file, int line) { running_block().wait_for_grid(file, line); }
void let_others_run() {
    if (is_kernel_at_work != 0) running_block().let_others_run();
}

Uninterrupted::Uninterrupted() { uninterrupted = uninterrupted + 1; }
Uninterrupted::~Uninterrupted() { uninterrupted = uninterrupted - 1; }
void note_wait(const MbarrierWait* wait) { running_block().note_wait(wait); }

void trap(const char* file, int line) { running_block().trap(file, line); }

bool start_next_thread() { return block_at_work->start_next_thread(); }

void fence() {
    running_block().fence();
    if (observer != nullptr) observer->fence(running_block().current());
}
void begin_atomic() { is_in_atomic = 1; }
void end_atomic() { is_in_atomic = 0; }
void sum_of_floats(double sum) {
    if (observer != nullptr) observer->sum_of_floats(sum);
}

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
        thread.warp = &warps_[number / 32];
        thread.lane = number % 32;
        started_[number] = &threads_[permutation[number]];
    }
}

void Block::prepare(dim3 size, const Order& order, std::uint64_t block_number) {
    number_threads(size, order, block_number);
    is_watched_ = observer != nullptr || has_asan();
    for (auto& warp : exchanged_)
        for (ExchangedValues& values : warp) values.holders = 0;
    for (unsigned first = 0; first < threads_.size(); first += 32) {
        Warp& warp = warps_[first / 32];
        warp.mask = warp.waiting = 0;
        warp.alive = threads_.size() - first >= 32 ? ~0U : (1U << (threads_.size() - first)) - 1;
    }
    schedule_.arrived = schedule_.first_ready = schedule_.last_ready = 0;
    schedule_.line = 0;
    next_start_ = returned_ = predicates_ = at_grid_ = 0;
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
    return run_threads();
}

Outcome Block::go_on(uint3 index) {
    blockIdx = index;
    at_grid_ = 0;
    release_all();
    return run_threads();
}

Outcome Block::run_threads() {
    is_running_ = 1;
    schedule = &schedule_;
    if (!is_one_ready()) start_some(1);
    go_on_with_next(host_, &host_place_);
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
    go_on_with_next(*thread.fibre, &thread.stack_pointer);
}

// Since Volta, barriers and warp functions wait only for threads that have not exited.
void Block::wait_no_longer_for(const Thread& returned) {
    if (schedule_.arrived > 0 && schedule_.arrived + returned_ == threads_.size())
        complete_barrier();
    const Warp& warp = *returned.warp;
    const unsigned first = returned.number - returned.lane;
    for (unsigned lane = 0; lane < 32; ++lane) {
        if ((warp.waiting >> lane & 1U) == 0) continue;
        const Thread& thread = threads_[first + lane];
        if (thread.function != WarpFunction::coalesce && missing(thread) == 0)
            complete_exchange(thread);
    }
}

// A waiting thread that can continue does so before a new one starts.
bool Block::start_next_thread() {
    leave_kernel();
    is_kernel_beginning = false;
    Thread& thread = *schedule_.current;
    thread.state = State::returned;
    thread.warp->alive &= ~(1U << thread.lane);
    thread.warp->mask = 0;
    returns_ = returns_ + 1;
    ++returned_;
    if (schedule_.arrived > 0 || thread.warp->waiting != 0) wait_no_longer_for(thread);
    if (is_one_ready() || next_start_ == threads_.size()) leave_fibre(thread);
    Thread& next = *started_[next_start_++];
    next.fibre = thread.fibre;
    schedule_.current = &next;
    threadIdx = next.index;
    start_thread();
    return true;
}

// Gives each of the next threads a fibre.
void Block::start_some(unsigned count) {
    for (unsigned i = 0; i < count && next_start_ < threads_.size(); ++i) {
        if (idle_.empty()) idle_.push_back(all_fibres_.emplace_back(create_fibre()));
        Thread& thread = *started_[next_start_++];
        thread.fibre = idle_.back();
        idle_.pop_back();
        thread.stack_pointer = start_again(*thread.fibre, [] { block_at_work->run_fibre(); });
        make_ready(thread);
    }
}

// Leaves the running fibre, which can continue at `place`, for a thread that can continue. If there
// is none, continues on the host's stack.
void Block::go_on_with_next(Fibre& from, void** place) {
    if (!is_one_ready()) start_some(32);  // the threads of a warp usually wait at the same place
    if (!is_one_ready() && !form_coalesced_groups()) {
        if (returned_ < threads_.size() && at_grid_ < threads_.size()) failure_ = Failure::missing;
        return switch_fibre(from, place, host_, host_place_);
    }
    Thread& next = *schedule_.ready[schedule_.first_ready++ % largest_block];
    schedule_.current = &next;
    threadIdx = next.index;
    if (&next.stack_pointer != place) switch_fibre(from, place, *next.fibre, next.stack_pointer);
}

Thread& Block::come_to(State state, const char* what, const char* file, int line) {
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
            return "waits in " + place(thread) + ", but no thread has returned for " +
                   std::to_string(stop_after_) + " s (CUDA_ON_CPU_TIMEOUT)";
        });
    go_on_with_next(*thread.fibre, &thread.stack_pointer);
    thread.state = State::running;
    enter_kernel();
}

unsigned Block::barrier(bool predicate, const char* what, const char* file, int line) {
    Thread& thread = come_to(State::at_barrier, what, file, line);
    if (schedule_.arrived++ == 0) {
        first_at_barrier_ = &thread;
        schedule_.file = file;
        schedule_.line = is_watched_ ? 0 : line;
    }
    const Thread& first = *first_at_barrier_;
    if (line != first.line || (file != first.file && std::string_view(file) != first.file))
        give_up(Failure::different_barriers);
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
    Thread& thread = come_to(State::at_tile, "a tile's sync", file, line);
    if (++at_tile_[first / 32] == count) {
        at_tile_[first / 32] = 0;
        for (unsigned number = first; number < first + count; ++number)
            make_ready(threads_[number]);
    }
    wait(thread);
}

void Block::wait_for_grid(const char* file, int line) {
    Thread& thread = come_to(State::at_grid, "grid.sync", file, line);
    ++at_grid_;
    wait(thread);
}

// All other threads run first, because the thread may be waiting for something that one of them
// does.
void Block::let_others_run() {
    if (is_alone() || uninterrupted != 0) return;
    leave_kernel();
    Thread& thread = *schedule_.current;
    const bool begins = is_kernel_beginning;
    start_some(32);
    make_ready(thread);
    turns_ = turns_ + 1;
    go_on_with_next(*thread.fibre, &thread.stack_pointer);
    is_kernel_beginning = begins;
    enter_kernel();
}

// Objects on the thread's stack are not destroyed. The host writes the report.
void Block::give_up(Failure failure) {
    failure_ = failure;
    switch_fibre(*schedule_.current->fibre, &schedule_.current->stack_pointer, host_, host_place_);
    __builtin_unreachable();  // the fibre starts again
}

void Block::trap(const char* file, int line) {
    leave_kernel();
    schedule_.current->what = "__trap";
    schedule_.current->file = file;
    schedule_.current->line = line;
    give_up(Failure::trap);
}

bool Block::is_stack_guard(const void* address) const {
    return cuda_on_cpu::is_stack_guard(*schedule_.current->fibre, address);
}

bool Block::is_on_stack(const void* address) const {
    const char* const top = schedule_.current->fibre->top;
    return address < top && address >= top - local_memory_bytes();
}

void Block::stop(cudaError_t error, const std::function<std::string()>& what_it_does) {
    uninterrupted = 0;
    leave_kernel();
    stopped_ = {error, "thread " + text_of(schedule_.current->index) + " " + what_it_does()};
    give_up(Failure::stopped);
}

}  // namespace cuda_on_cpu
