// SPDX-License-Identifier: MIT
// The state that a waiting thread leaves, and the queue of threads that can continue: all that the
// assembler in schedule.cpp needs to switch.
#pragma once

#include <csignal>
#include <cstdint>

#include "device/threads/fibre.hpp"
#include "vector_types.hpp"
#include "warp.hpp"

namespace cuda_on_cpu {

constexpr unsigned largest_block = 1024;

struct Warp;
struct MbarrierWait;

/// The values that a warp's lanes gave to a warp function, while the lanes in `holders` may read
/// them.
struct ExchangedValues {
    std::uint64_t value[32];
    unsigned holders;
};

struct alignas(64) Thread {
    enum class State : std::uint8_t {
        unstarted,
        running,  // or ready to
        at_barrier,
        at_tile,
        at_grid,
        at_warp,
        returned
    };
    void* stack_pointer = nullptr;  ///< valid while it waits
    uint3 index{};
    State state = State::unstarted;
    bool has_fenced = false;  ///< for an observer
    // the place where it waits; for a barrier, messages name the place of its first thread
    const char* what = "";
    const char* file = "";
    int line = 0;
    // the lane's mask, and the lanes that took part
    unsigned mask = 0;
    unsigned present = 0, lane = 0;
    Warp* warp = nullptr;
    ExchangedValues* received = nullptr;  ///< valid until its next warp function
    WarpFunction function{};
    unsigned number = 0;  ///< x + size.x * (y + size.y * z)
    Fibre* fibre = nullptr;
    const MbarrierWait* mbarrier_wait = nullptr;
};

struct Warp {
    // A lane with this function and mask need not check whether it is the last as long as lanes
    // other than itself are missing.
    unsigned mask = 0;
    WarpFunction function{};
    unsigned missing = 0;
    // one bit per lane: waits in a warp function; exists and has not returned
    unsigned waiting = 0, alive = 0;
    std::uint64_t value[32];
};

/// The running block's schedule.
struct Schedule {
    Thread* current = nullptr;
    unsigned first_ready = 0, last_ready = 0;  ///< they only grow
    unsigned arrived = 0;                      ///< at the barrier
    int line = 0;  ///< the barrier's line; 0 if the next thread must compare more than its place
    const char* file = "";
    Thread* ready[largest_block] = {};  ///< threads that can continue

    bool has_ready() const { return first_ready != last_ready; }
    void make_ready(Thread& thread) { ready[last_ready++ % largest_block] = &thread; }
    void make_ready_first(Thread& thread) { ready[--first_ready % largest_block] = &thread; }
    Thread& take_next() { return *ready[first_ready++ % largest_block]; }
};
extern Schedule* schedule asm("cuda_on_cpu_schedule");

/// 1 while this CPU thread runs the kernel's own code, 0 while the host or the emulator works.
extern volatile std::sig_atomic_t is_kernel_at_work asm("cuda_on_cpu_is_kernel_at_work");
extern volatile std::sig_atomic_t uninterrupted;  ///< how many Uninterrupted live

/// Whether an instruction belongs to the switches, which count as the kernel's own code.
bool is_in_wait(const void* code);

}  // namespace cuda_on_cpu
