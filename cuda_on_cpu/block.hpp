// Copyright (c) 2026 The Convolab authors
// SPDX-License-Identifier: MIT
//
// Runs the threads of one block, each on a fibre as soon as it has to wait for others.
//
// A fibre runs one thread after another until one waits: a kernel without barriers needs one fibre
// and no switch. A thread that waits keeps its fibre; another fibre goes on with the next thread.
// Whoever waits switches straight to the next thread that can go on.
#pragma once

#include <pthread.h>

#include <csignal>
#include <cstdint>
#include <deque>
#include <functional>
#include <string>
#include <vector>

#include "fibre.hpp"
#include "kernel_launch.hpp"
#include "order.hpp"
#include "tsan_threads.hpp"
#include "warp.hpp"

namespace cuda_on_cpu {

constexpr unsigned largest_block = 1024;

/// What the lanes of a warp brought to a warp function, while `holders` may still read it.
struct ExchangedValues {
    std::uint64_t value[32];
    unsigned holders;
};

struct Thread {
    enum class State : std::uint8_t { unstarted, running, at_barrier, at_warp, ready, returned };
    uint3 index{};
    unsigned number = 0;  ///< x + size.x * (y + size.y * z)
    bool has_fenced = false;
    State state = State::unstarted;
    Fibre* fibre = nullptr;
    // where it waits
    const char* what = "";
    const char* file = "";
    int line = 0;
    // what it brings to its warp, and who came
    WarpFunction function{};
    unsigned mask = 0;
    unsigned present = 0;
    std::uint64_t value = 0;
    ExchangedValues* received = nullptr;  // until its next warp function
};

/// How a block ended: cudaSuccess, or an error and what happened. Or all its threads wait for the
/// other blocks.
struct Outcome {
    cudaError_t error = cudaSuccess;
    std::string text;
    bool waits_for_grid = false;
};

class Block {
  public:
    Outcome run(const KernelCall& kernel, uint3 index, dim3 size, const Order& order,
                std::uint64_t block_number);
    /// Goes on with a block that waited for the grid.
    Outcome go_on(uint3 index);
    /// Gives up the threads of a block that waits for the grid.
    void abandon();

    // Called by the running thread:
    unsigned barrier(bool predicate, const char* what, const char* file, int line);
    void tile_barrier(unsigned first, unsigned count, const char* file, int line);
    void wait_for_grid(const char* file, int line);
    void sleep(const char* file, int line);
    WarpValues exchange(WarpFunction function, const char* name, unsigned mask, std::uint64_t value,
                        const char* file, int line);
    [[noreturn]] void trap(const char* file, int line);
    void fence() { current_->has_fenced = true; }
    void order_by_atomic(void* address) const;
    unsigned active_mask() const;
    const Thread& current() const { return *current_; }

    // Called by handlers of signals:
    /// True while this CPU thread runs the kernel's own code.
    bool is_in_kernel() const {
        return in_kernel_ != 0 && pthread_equal(cpu_thread_, pthread_self());
    }
    bool is_stack_guard(const void* address) const;
    /// That of the running thread.
    const Fibre& fibre() const { return *current_->fibre; }
    struct Progress {
        bool is_running;
        std::uint64_t steps;    ///< threads that returned or began to wait, of all blocks
        std::uint64_t returns;  ///< threads that returned
    };
    Progress progress() const { return {is_running_ != 0, waits_ + returns_, returns_}; }
    /// Threads only wait for each other, and none has returned for so long.
    void stop_at_next_wait(long seconds) { stop_after_ = seconds; }
    /// Called in the running thread where a handler has sent it: ends the block. The words are made
    /// where TSan sees the host, and nothing of them stays on the stack that is given up: a
    /// function that captures more than two references would leak.
    [[noreturn]] void stop(cudaError_t error, const std::function<std::string()>& what_it_does);

  private:
    enum class Failure { none, missing, different_barriers, trap, mask, stopped };
    [[noreturn]] void give_up(Failure failure);
    void prepare(dim3 size, const Order& order, std::uint64_t block_number);
    void fibre_main();
    void run_thread(Thread& thread);
    void leave_kernel();
    void enter_kernel();
    void wait(Thread& thread);
    void make_ready(Thread& thread);
    void make_ready_first(Thread& thread);
    Outcome run_threads();
    bool form_coalesced_groups();
    Fibre* next_fibre();
    bool can_complete(const Thread& thread) const;
    void complete_exchange(const Thread& thread);
    unsigned lanes_of(const Thread& thread) const;
    static std::string place(const Thread& thread);
    std::string who_waits() const;
    std::string failure_text() const;

    const KernelCall* kernel_ = nullptr;
    std::vector<Thread> threads_;    // by number
    std::vector<unsigned> started_;  // numbers in the order in which threads start
    unsigned next_start_ = 0, returned_ = 0;
    bool starts_one_ = false;  // a thread before those that are ready
    bool runs_ahead_ = false;  // a warp that can go on does so before the others
    Thread* current_ = nullptr;

    // those that need not wait any more; never more than the block's threads
    Thread* ready_[largest_block] = {};
    unsigned first_ready_ = 0, last_ready_ = 0;  // counted without end

    unsigned arrived_ = 0, predicates_ = 0, released_predicates_ = 0;
    unsigned at_tile_[largest_block / 32] = {};  // wait for their tile, by its first warp
    unsigned at_grid_ = 0;                       // wait for the other blocks
    Thread* first_at_barrier_ = nullptr;
    std::deque<ExchangedValues> exchanged_[largest_block / 32];  // of each warp
    // one bit for each lane of each warp: exists and has not returned; waits in a warp function
    unsigned warp_alive_[largest_block / 32] = {}, warp_waiting_[largest_block / 32] = {};

    std::vector<Fibre*> idle_, all_fibres_;
    std::vector<Fibre*> resting_;  // those idle until the block ends
    Fibre host_;
    Failure failure_ = Failure::none;
    TsanThreads tsan_;
    Outcome stopped_;  // what stop() was told
    volatile std::sig_atomic_t in_kernel_ = 0, is_running_ = 0;
    volatile std::uint64_t waits_ = 0, returns_ = 0;
    volatile long stop_after_ = 0;
    pthread_t cpu_thread_{};  // that runs the block
};

/// A launch has called the kernel, which has not come to its first statement.
extern bool is_kernel_beginning;

/// The block that runs: one at a time, of two that take turns as TSan has two sets of threads.
Block& running_block();
/// From now on that with this set.
Block& block_of_set(unsigned set);
/// From now on this one, of a grid whose blocks wait for each other.
Block& block_of_grid(std::size_t number);

}  // namespace cuda_on_cpu
