// SPDX-License-Identifier: MIT
// Fibres are separate stacks on one CPU thread, between which the emulator switches.
#pragma once

#include <cstddef>

#include "device/base/asan.hpp"

extern "C" void cuda_on_cpu_switch_stacks(void** save, void* next);

namespace cuda_on_cpu {

struct Fibre {
    const void* stack_bottom = nullptr;
    std::size_t stack_bytes = 0;
    void* asan_stack = nullptr;  ///< ASan's fake stack, while the fibre does not run
    bool ends = false;           ///< it finishes, and can only run again by start_again
    char* top = nullptr;         ///< where its stack begins; nullptr for the CPU thread
};

/// A GPU gives a thread up to 512 KiB for local variables and calls; a fibre has the same.
std::size_t local_memory_bytes();
/// True for an address that a full stack reaches.
bool is_stack_guard(const Fibre& fibre, const void* address);

/// Creates a fibre with its stack. Throws std::bad_alloc if no memory is left for the stack.
Fibre* create_fibre();
/// Makes the fibre call `main`, which must not return, and gives the place where it continues. The
/// fibre forgets what it was doing; nothing on its stack is destroyed.
void* start_again(Fibre& fibre, void (*main)());
void announce_switch_to_asan(Fibre& from, const Fibre& to);
void announce_arrival_to_asan(const Fibre& here);
/// Leaves `from`, the running fibre, and stores in `place` where it can continue. Continues with
/// `to` at `next_place`, where it was left.
inline void switch_fibre(Fibre& from, void** place, const Fibre& to, void* next_place) {
    if (has_asan()) announce_switch_to_asan(from, to);
    cuda_on_cpu_switch_stacks(place, next_place);
    if (has_asan()) announce_arrival_to_asan(from);
}

}  // namespace cuda_on_cpu
