// SPDX-License-Identifier: MIT
// Runs the threads of one block. A thread gets a separate fibre once it has to wait for others.
//
// A fibre runs one thread after another until one has to wait, so a kernel without barriers needs
// only one fibre and no switch. A waiting thread keeps its fibre, and another fibre runs the next
// thread. The waiting thread switches directly to the next thread that can continue.
#pragma once

#include <pthread.h>

#include <functional>
#include <string>
#include <vector>

#include "device/base/settings.hpp"
#include "device/threads/schedule.hpp"
#include "device/threads/warp_exchange.hpp"
#include "finding/finding.hpp"
#include "kernel_launch.hpp"

namespace cuda_on_cpu {

/// How a block ended: cudaSuccess, or an error and what happened. Or it has not ended, because all
/// of its threads wait for the other blocks.
struct Outcome {
    cudaError_t error = cudaSuccess;
    Finding what;
    bool waits_for_grid = false;
};

class Block {
  public:
    Outcome run(const KernelCall& kernel, uint3 index, dim3 size, const Order& order,
                std::uint64_t block_number);
    /// Continues a block that waited for the grid.
    Outcome resume(uint3 index);
    /// Gives up the threads of a block that waits for the grid.
    void abandon();

    // Called by the running thread:
    bool start_next_thread();
    unsigned barrier(bool predicate, const char* what, const char* file, int line);
    void tile_barrier(unsigned first, unsigned count, const char* file, int line);
    void wait_for_grid(const char* file, int line);
    WarpValues exchange(WarpFunction function, const char* name, unsigned mask, std::uint64_t value,
                        const char* file, int line);
    void let_others_run();
    [[noreturn]] void trap(const char* file, int line);
    Thread& current() { return *schedule_.current; }
    std::size_t threads() const { return threads_.size(); }

    // Called by signal handlers:
    /// True while this CPU thread runs the kernel's own code.
    bool is_in_kernel() const {
        return is_kernel_at_work != 0 && pthread_equal(cpu_thread_, pthread_self());
    }
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
    [[noreturn]] void stop(cudaError_t error, const std::function<Finding()>& what_it_does);

  private:
    enum class Failure { none, missing, different_barriers, trap, mask, stopped };
    [[noreturn]] void fail(Failure failure);
    Finding failure_text();
    Finding who_waits();

    void number_threads(dim3 size, const Order& order, std::uint64_t block_number);
    void prepare(dim3 size, const Order& order, std::uint64_t block_number);
    Outcome run_threads();
    void run_fibre() {
        start_thread();
        kernel_->run_threads();
        leave_fibre(*schedule_.current);
    }
    void start_thread();
    void start_threads(unsigned count);
    void leave_fibre(Thread& thread);
    void switch_to_next(Fibre& from, void** place);
    static void leave_kernel() { is_kernel_at_work = 0; }
    static void enter_kernel() { is_kernel_at_work = 1; }

    Thread& arrive(Thread::State state, const char* what, const char* file, int line);
    void wait(Thread& thread);
    void complete_barrier();
    void release_all();

    const KernelCall* kernel_ = nullptr;
    std::vector<Thread> threads_;   // by number
    std::vector<Thread*> started_;  // in the order in which threads start
    unsigned next_start_ = 0, returned_ = 0;
    dim3 size_{0, 0, 0};
    bool is_forward_ = false;
    bool is_watched_ = false;  // by ASan or an observer, which rules out short cuts
    Schedule schedule_;
    WarpExchange warps_{threads_, schedule_};

    unsigned predicates_ = 0, released_predicates_ = 0;
    unsigned at_tile_[largest_block / 32] = {};  // threads at a tile's barrier, by first warp
    unsigned at_grid_ = 0;                       // threads that wait for the other blocks
    Thread* first_at_barrier_ = nullptr;

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
/// The CUDA thread whose own code runs now; nullptr while the host or the emulator works.
inline const Thread* thread_at_work() {
    return is_kernel_at_work != 0 ? &block_at_work->current() : nullptr;
}

// kernel_report.cpp:
/// Reports a mistake of the running thread that does not end the kernel, once for each place.
void report_once(const std::string& place, const Finding& what);
/// "__syncthreads at file:line"
Finding waiting_place(const Thread& thread);
/// "36 threads, e.g. (0,0,0), wait in __syncthreads at file:line; 28 threads, e.g. (4,4,0), have
/// returned"
Finding describe_threads(const std::vector<Thread>& threads);

}  // namespace cuda_on_cpu
