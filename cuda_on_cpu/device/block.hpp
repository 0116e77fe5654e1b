// SPDX-License-Identifier: MIT
// Runs the threads of one block. A thread gets a separate fibre once it has to wait for others.
//
// A fibre runs one thread after another until one has to wait, so a kernel without barriers needs
// only one fibre and no switch. A waiting thread keeps its fibre, and another fibre runs the next
// thread. The waiting thread switches directly to the next thread that can continue.
#pragma once

#include <pthread.h>

#include <deque>
#include <functional>
#include <string>
#include <vector>

#include "device/order.hpp"
#include "device/schedule.hpp"
#include "kernel_launch.hpp"

namespace cuda_on_cpu {

/// How a block ended: cudaSuccess, or an error and what happened. Or it has not ended, because all
/// of its threads wait for the other blocks.
struct Outcome {
    cudaError_t error = cudaSuccess;
    std::string text;
    bool waits_for_grid = false;
};

class Block {
  public:
    Outcome run(const KernelCall& kernel, uint3 index, dim3 size, const Order& order,
                std::uint64_t block_number);
    /// Continues a block that waited for the grid.
    Outcome go_on(uint3 index);
    /// Gives up the threads of a block that waits for the grid.
    void abandon();

    // Called by the running thread:
    bool start_next_thread();
    unsigned barrier(bool predicate, const char* what, const char* file, int line);
    void tile_barrier(unsigned first, unsigned count, const char* file, int line);
    void wait_for_grid(const char* file, int line);
    void let_others_run();
    bool is_alone() const { return !is_one_ready() && next_start_ == threads_.size(); }
    WarpValues exchange(WarpFunction function, const char* name, unsigned mask, std::uint64_t value,
                        const char* file, int line);
    /// Reports a mistake that does not end the kernel, once for each place.
    void tell_once(const std::string& place, const std::string& what);
    void tell_stranger(const ShuffleCall& call, unsigned lane);
    void tell_wrong(const ShuffleCall& call, const char* what, unsigned value, const char* why);
    [[noreturn]] void trap(const char* file, int line);
    void fence() { schedule_.current->has_fenced = true; }
    unsigned active_mask() const;
    const Thread& current() const { return *schedule_.current; }
    void note_wait(const MbarrierWait* wait) { schedule_.current->mbarrier_wait = wait; }

    // Signal handlers call these functions:
    /// True while this CPU thread runs the kernel's own code.
    bool is_in_kernel() const {
        return is_kernel_at_work != 0 && pthread_equal(cpu_thread_, pthread_self());
    }
    bool is_stack_guard(const void* address) const;
    /// Whether the address is a local variable of the running thread.
    bool is_on_stack(const void* address) const;
    /// The running thread's fibre.
    const Fibre& fibre() const { return *schedule_.current->fibre; }
    struct Progress {
        bool is_running;
        std::uint64_t
            steps;  ///< changes when a thread returns, or waits at a barrier or for a warp
        std::uint64_t returns;  ///< threads that returned
        unsigned turns;         ///< how often a thread has let the others run
    };
    Progress progress() const {
        return {is_running_ != 0, waits_ + returns_ + schedule_.first_ready - turns_, returns_,
                turns_};
    }
    /// The threads have only waited for each other for this many seconds, and none has returned.
    void stop_at_next_wait(long seconds) { stop_after_ = seconds; }
    /// Ends the block; called in the running thread, in code that a signal handler has redirected.
    /// Nothing of the message may stay on the stack that is given up: a function that captures more
    /// than two references would leak.
    [[noreturn]] void stop(cudaError_t error, const std::function<std::string()>& what_it_does);

  private:
    enum class Failure { none, missing, different_barriers, trap, mask, stopped };
    [[noreturn]] void give_up(Failure failure);
    void number_threads(dim3 size, const Order& order, std::uint64_t block_number);
    void prepare(dim3 size, const Order& order, std::uint64_t block_number);
    void run_fibre() {
        start_thread();
        kernel_->run_threads();
        leave_fibre(*schedule_.current);
    }
    void start_thread();
    void leave_fibre(Thread& thread);
    void wait_no_longer_for(const Thread& returned);
    void start_some(unsigned count);
    static void leave_kernel() { is_kernel_at_work = 0; }
    static void enter_kernel() { is_kernel_at_work = 1; }
    Thread& come_to(Thread::State state, const char* what, const char* file, int line);
    void wait(Thread& thread);
    void go_on_with_next(Fibre& from, void** place);
    void make_ready(Thread& thread) {
        schedule_.ready[schedule_.last_ready++ % largest_block] = &thread;
    }
    void make_ready_first(Thread& thread) {
        schedule_.ready[--schedule_.first_ready % largest_block] = &thread;
    }
    bool is_one_ready() const { return schedule_.first_ready != schedule_.last_ready; }
    void complete_barrier();
    void release_all();
    Outcome run_threads();
    bool form_coalesced_groups();
    unsigned missing(const Thread& thread) const;
    void tell_shuffle(const ShuffleCall& call, const std::string& what);
    void come_to_exchange(const Thread& thread);
    void complete_exchange(const Thread& thread);
    ExchangedValues& free_values(unsigned warp);
    std::string place(const Thread& thread) const;
    std::string who_waits();
    std::string failure_text();

    const KernelCall* kernel_ = nullptr;
    std::vector<Thread> threads_;   // by number
    std::vector<Thread*> started_;  // in the order in which threads start
    unsigned next_start_ = 0, returned_ = 0;
    dim3 size_{0, 0, 0};
    bool is_forward_ = false;
    bool runs_ahead_ = false;  // a warp that can continue does so before the others
    Schedule schedule_;

    unsigned predicates_ = 0, released_predicates_ = 0;
    unsigned at_tile_[largest_block / 32] = {};  // threads at a tile's barrier, by first warp
    unsigned at_grid_ = 0;                       // threads that wait for the other blocks
    Thread* first_at_barrier_ = nullptr;
    Warp warps_[largest_block / 32] = {};
    std::deque<ExchangedValues> exchanged_[largest_block / 32];  // for each warp
    bool is_watched_ = false;  // by ASan or an observer, which rules out short cuts

    std::vector<Fibre*> idle_, all_fibres_;
    Fibre host_;
    void* host_place_ = nullptr;
    Failure failure_ = Failure::none;
    Outcome stopped_;  // the arguments of stop()
    volatile std::sig_atomic_t is_running_ = 0;
    volatile std::uint64_t waits_ = 0, returns_ = 0;
    volatile unsigned turns_ = 0;
    volatile long stop_after_ = 0;
    pthread_t cpu_thread_{};  // the thread that runs the block
};

/// A launch has called the kernel, which has not reached its first statement.
extern bool is_kernel_beginning;
inline const LaunchPlace* launch_at_work = nullptr;

inline Block* block_at_work = nullptr;
/// The block that runs.
inline Block& running_block() {
    if (block_at_work == nullptr) [[unlikely]]
        block_at_work = new Block;  // outlives the program's own static objects
    return *block_at_work;
}
/// Makes this block the running one, in a grid whose blocks wait for each other.
Block& block_of_grid(std::size_t number);

}  // namespace cuda_on_cpu
