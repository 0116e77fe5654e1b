// Copyright (c) 2026 The Convolab authors
// SPDX-License-Identifier: MIT
//
// What a thread that waits leaves behind, and who goes on after it: all that the switches of
// schedule.cpp need, which are written in assembler.
#pragma once

#include <csignal>
#include <cstdint>

#include "device/fibre.hpp"
#include "vector_types.hpp"
#include "warp.hpp"

namespace cuda_on_cpu {

constexpr unsigned largest_block = 1024;

struct Warp;
struct MbarrierWait;

/// What the lanes of a warp brought to a warp function, while `holders` may still read it.
struct ExchangedValues {
    std::uint64_t value[32];
    unsigned holders;
};

struct alignas(64) Thread {
    enum class State : std::uint8_t {
        unstarted,
        running,  // or is ready to
        at_barrier,
        at_tile,
        at_grid,
        at_warp,
        returned
    };
    void* stack_pointer = nullptr;  ///< while it waits
    uint3 index{};
    State state = State::unstarted;
    bool has_fenced = false;
    // where it waits; of a barrier the first thread there tells it
    const char* what = "";
    const char* file = "";
    int line = 0;
    // what it brings to its warp, and who came
    unsigned mask = 0;
    unsigned present = 0, lane = 0;
    Warp* warp = nullptr;
    ExchangedValues* received = nullptr;  ///< until its next warp function
    WarpFunction function{};
    unsigned number = 0;  ///< x + size.x * (y + size.y * z)
    Fibre* fibre = nullptr;
    const MbarrierWait* mbarrier_wait = nullptr;
};

struct Warp {
    // The next lane with this function and mask need not ask whether it is the last, as long as
    // more than its own lane is missing.
    unsigned mask = 0;
    WarpFunction function{};
    unsigned missing = 0;
    // one bit for each lane: waits in a warp function; exists and has not returned
    unsigned waiting = 0, alive = 0;
    std::uint64_t value[32];
};

/// Of the block that runs.
struct Schedule {
    Thread* current = nullptr;
    unsigned first_ready = 0, last_ready = 0;  ///< counted without end
    unsigned arrived = 0;                      ///< at the barrier
    int line = 0;  ///< of that barrier; 0: who comes next must look at more than its place
    const char* file = "";
    Thread* ready[largest_block] = {};  ///< those that need not wait any more
};
extern Schedule* schedule asm("cuda_on_cpu_schedule");

/// This CPU thread runs the kernel's own code; not while the host or the emulator works.
extern volatile std::sig_atomic_t is_kernel_at_work asm("cuda_on_cpu_is_kernel_at_work");

/// An instruction of the kernel's own code at which the switches are at work.
bool is_in_wait(const void* code);

}  // namespace cuda_on_cpu
