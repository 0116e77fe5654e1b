// SPDX-License-Identifier: MIT
// The interface for whoever watches a program. An observer hears of kernels, blocks, barriers and
// copies. If the program is compiled with -fsanitize=thread and linked with accesses/ instead of
// ThreadSanitizer, the observer also hears of every memory access. Without an observer this costs
// nothing.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "device/memory/allocations.hpp"
#include "device/memory/variables.hpp"
#include "device/threads/block.hpp"

namespace cuda_on_cpu {

struct Access {
    enum class Kind : std::uint8_t { read, write, atomic_read, atomic_write, atomic_compare };
    const char* address;
    std::size_t bytes;
    Kind kind;         ///< an atomic function is an atomic_read, then one of the others
    const void* code;  ///< the address after the instruction: source_line(code - 1)

    bool writes() const { return kind == Kind::write || kind >= Kind::atomic_write; }
    bool is_atomic() const { return kind >= Kind::atomic_read; }
};

struct Launch {
    LaunchPlace place;
    dim3 grid, block;
    std::size_t dynamic_bytes;
    const std::vector<Address>& addresses;  ///< the kernel's pointer arguments
};

struct GraphTurn;
struct Rows;
struct Turn;

/// The emulator runs one thread of one block of one kernel at a time. It makes each call before the
/// event it reports, but the end_ functions and the barriers after it.
class Observer {
  public:
    virtual ~Observer() = default;

    /// A task of a stream: a kernel, a copy, an event, or a graph with any of them.
    virtual void begin_task(const Turn&) {}
    virtual void end_task() {}
    /// The running graph starts one of its tasks.
    virtual void begin_graph_task(const GraphTurn&) {}
    virtual void begin_kernel(const Launch&) {}
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
    virtual void allocated(const Allocation&) {}
    /// The stream has reached cudaMallocAsync.
    virtual void allocated_in_stream(const Allocation&) {}
    virtual void freed(const Allocation&) {}
    /// The program has ended without a CUDA error and its static objects are destroyed, so no
    /// kernel or copy can follow.
    virtual void end_work() {}
    /// The last call, after end_work().
    virtual void end_program(bool /*succeeded*/) {}
    /// A copy is done, or a cudaMemset, in which case `from` is nullptr.
    virtual void copied(const char* /*to*/, const char* /*from*/, const Rows&) {}
};

/// nullptr if nothing watches.
inline Observer* observer = nullptr;
/// Makes it when the program starts: for `check` and `count`, each of which defines this.
Observer* create_observer();

/// The CUDA thread whose own code runs now; nullptr while the host or the emulator works.
inline const Thread* thread_at_work() {
    return is_kernel_at_work != 0 ? &block_at_work->current() : nullptr;
}

}  // namespace cuda_on_cpu
