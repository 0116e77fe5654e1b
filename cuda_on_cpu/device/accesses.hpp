// Copyright (c) 2026 The Convolab authors
// SPDX-License-Identifier: MIT
//
// Who watches a program: an observer is told of kernels, blocks, barriers and copies and, where the
// program is compiled with -fsanitize=thread and linked with accesses/ (not with ThreadSanitizer),
// of every access that it makes to memory. Without an observer this costs nothing.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "device/block.hpp"
#include "device/memory.hpp"
#include "device/variables.hpp"

namespace cuda_on_cpu {

struct Access {
    enum class Kind : std::uint8_t { read, write, atomic_read, atomic_write, atomic_compare };
    const char* address;
    std::size_t bytes;
    Kind kind;         ///< an atomic function is an atomic_read, then one of the others
    const void* code;  ///< behind the instruction: source_line(code - 1)

    bool writes() const { return kind == Kind::write || kind >= Kind::atomic_write; }
    bool is_atomic() const { return kind >= Kind::atomic_read; }
};

struct Launch {
    LaunchPlace place;
    dim3 grid, block;
    std::size_t dynamic_bytes;
    const std::vector<Address>& addresses;  ///< its pointers
};

struct GraphTurn;
struct Rows;
struct Turn;

/// One kernel runs at a time, one block of it at a time, one thread of that at a time. Calls come
/// before what they tell of; end_ and barriers after it.
class Observer {
  public:
    virtual ~Observer() = default;

    /// A task of a stream: a kernel, a copy, an event, or a graph with any of them.
    virtual void begin_task(const Turn&) {}
    virtual void end_task() {}
    /// The graph comes to this task of its own.
    virtual void begin_graph_task(const GraphTurn&) {}
    virtual void begin_kernel(const Launch&) {}
    virtual void end_kernel(cudaError_t) {}
    /// All blocks of a cooperative launch have come to grid.sync: each goes on, begins once more.
    virtual void grid_barrier() {}
    virtual void begin_block(uint3 /*index*/, std::uint64_t /*number*/) {}
    virtual void end_block() {}
    /// All threads of the block have come to a barrier.
    virtual void barrier() {}
    /// These lanes of the warp have come to a warp function.
    virtual void warp_function(WarpFunction, unsigned /*warp*/, unsigned /*lanes*/) {}
    /// Threads have returned, and this one waits where all of its block or mask have to come.
    virtual void exited_before(const Thread&, unsigned /*returned*/) {}
    virtual void fence(const Thread&) {}
    /// An atomic function has added up this.
    virtual void sum_of_floats(double) {}
    /// Of a thread of a kernel, except to its own stack. The bytes may be anything else: shared,
    /// device or host memory, or a variable with static storage.
    virtual void access(const Thread&, const Access&) {}
    /// A thread of a kernel begins a basic block: where the program is compiled with
    /// -fsanitize-coverage=trace-pc, too.
    virtual void basic_block(const Thread&, const void* /*code*/) {}
    /// Of the host's code that is compiled in the same way.
    virtual void host_access(const Access&) {}

    /// Before main: a __device__ or __constant__ variable of the program.
    virtual void declared(const Variable&) {}
    virtual void allocated(const Allocation&) {}
    /// The stream has come to cudaMallocAsync.
    virtual void allocated_in_stream(const Allocation&) {}
    virtual void freed(const Allocation&) {}
    /// Without an error of CUDA, after the program's static objects are gone: no kernel or copy
    /// comes any more.
    virtual void end_work() {}
    /// After that; with exit code 0?
    virtual void end_program(bool /*succeeded*/) {}
    /// A copy is done, or a cudaMemset, which has no `from`.
    virtual void copied(const char* /*to*/, const char* /*from*/, const Rows&) {}
};

/// nullptr: nobody watches.
inline Observer* observer = nullptr;

/// The thread whose own code runs now; nullptr while the host or the emulator works.
inline const Thread* thread_at_work() {
    return is_kernel_at_work != 0 ? &block_at_work->current() : nullptr;
}

}  // namespace cuda_on_cpu
