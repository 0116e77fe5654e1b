// SPDX-License-Identifier: MIT
// The interface for whoever listens to a program. All observers hear of its launches, tasks and
// memory, among them the emulator's own (mistakes/). One may also watch each step: blocks, barriers
// and copies, and if the program is compiled with -fsanitize=thread and linked with accesses/
// instead of ThreadSanitizer, every memory access. Without that one the steps cost nothing.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

#include "device/base/source_line.hpp"
#include "kernel_launch.hpp"

namespace cuda_on_cpu {

struct Allocation;
struct GraphTurn;
struct Rows;
struct Thread;
struct Turn;
struct Variable;
enum class WarpFunction;

struct Access {
    enum class Kind : std::uint8_t { read, write, atomic_read, atomic_write, atomic_compare };
    const char* address;
    std::size_t bytes;
    Kind kind;         ///< an atomic function is an atomic_read, then one of the others
    const void* code;  ///< the address after the instruction: source_line(code - 1)
    /// It is volatile; or it is of an atomic function that may be done twice, such as atomicMax.
    bool is_flag = false;

    bool writes() const { return kind == Kind::write || kind >= Kind::atomic_write; }
    bool is_atomic() const { return kind >= Kind::atomic_read; }
};

struct Launch {
    LaunchPlace place;
    dim3 grid, block;
    std::size_t dynamic_bytes;
    const std::vector<Address>& addresses;  ///< the kernel's pointer arguments
    bool in_graph, is_cooperative;
};

/// The emulator runs one thread of one block of one kernel at a time. It makes each call before the
/// event it reports, but the end_ functions and the barriers after it.
class Observer {
  public:
    /// Hears from now on of what is told to all, as long as the program runs.
    Observer() : next_(first_) { first_ = this; }
    virtual ~Observer() = default;
    Observer(const Observer&) = delete;
    Observer& operator=(const Observer&) = delete;

    // Told to all:
    /// A task waits in a stream from now on.
    virtual void issued() {}
    virtual void begin_kernel(const Launch&) {}
    virtual void allocated(const Allocation&) {}
    virtual void freed(const Allocation&) {}
    /// A copy or a library reads this memory; the function gives the stack of the call.
    virtual void read(const void* /*address*/, const std::function<Frames()>& /*caller*/) {}
    /// The program asks for the error of its earlier calls.
    virtual void asked_for_error() {}

    // Told to the one that watches each step:
    /// A task of a stream: a kernel, a copy, an event, or a graph with any of them.
    virtual void begin_task(const Turn&) {}
    virtual void end_task() {}
    /// The running graph starts one of its tasks.
    virtual void begin_graph_task(const GraphTurn&) {}
    virtual void end_kernel(cudaError_t) {}
    /// All blocks of a cooperative launch have reached grid.sync. Each continues with another
    /// begin_block.
    virtual void grid_barrier() {}
    virtual void begin_block(uint3 /*index*/, std::uint64_t /*number*/) {}
    virtual void end_block() {}
    /// All threads of the block have reached a barrier.
    virtual void barrier() {}
    /// These lanes of the warp have reached a warp function.
    virtual void warp_function(WarpFunction, unsigned /*warp*/, unsigned /*lanes*/) {}
    /// This thread waits for its whole block or mask, but some of those threads have returned.
    virtual void exited_before(const Thread&, unsigned /*returned*/) {}
    virtual void fence(const Thread&) {}
    /// An atomic function has computed this floating-point sum.
    virtual void sum_of_floats(double) {}
    /// A kernel's thread accesses memory outside its own stack: shared, device or host memory, or a
    /// variable with static storage.
    virtual void access(const Thread&, const Access&) {}
    /// A kernel's thread begins a basic block (if the program is also compiled with
    /// -fsanitize-coverage=trace-pc).
    virtual void basic_block(const Thread&, const void* /*code*/) {}
    /// The host accesses memory, in code that is compiled in the same way.
    virtual void host_access(const Access&) {}

    /// The program defines this __device__ or __constant__ variable (called before main).
    virtual void declared(const Variable&) {}
    /// The stream has reached cudaMallocAsync.
    virtual void allocated_in_stream(const Allocation&) {}
    /// The program has ended without a CUDA error and its static objects are destroyed, so no
    /// kernel or copy can follow.
    virtual void end_work() {}
    /// The last call, after end_work().
    virtual void end_program(bool /*succeeded*/) {}
    /// A copy is done, or a cudaMemset, in which case `from` is nullptr.
    virtual void copied(const char* /*to*/, const char* /*from*/, const Rows&) {}

  private:
    template <class... Parameters, class... Arguments>
    friend void tell(void (Observer::*event)(Parameters...), const Arguments&... arguments);
    inline static Observer* first_ = nullptr;
    Observer* next_;
};

/// Tells all observers: tell(&Observer::freed, allocation).
template <class... Parameters, class... Arguments>
void tell(void (Observer::*event)(Parameters...), const Arguments&... arguments) {
    for (Observer* one = Observer::first_; one != nullptr; one = one->next_)
        (one->*event)(arguments...);
}

/// The one that watches each step; nullptr if nothing does.
inline Observer* observer = nullptr;
/// After the last access of a kernel's thread, if accesses are recorded.
inline const void* last_access = nullptr;
/// So often a thread still lets the others run before it writes or uses an atomic function.
inline unsigned turns_left = 0;
/// Makes it when the program starts: for `check` and `count`, each of which defines this.
Observer* create_observer();

}  // namespace cuda_on_cpu
