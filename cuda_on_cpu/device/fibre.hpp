// Copyright (c) 2026 The Convolab authors
// SPDX-License-Identifier: MIT
//
// Fibres: stacks of their own on one CPU thread, switched by hand.
#pragma once

#include <cstddef>

#include "device/sanitizers.hpp"

extern "C" void cuda_on_cpu_switch_stacks(void** save, void* next);

namespace cuda_on_cpu {

struct Fibre {
    const void* stack_bottom = nullptr;
    std::size_t stack_bytes = 0;
    void* asan_stack = nullptr;  ///< ASan's fake stack, while it does not run
    bool ends = false;           ///< what it does now; it goes on only by start_again
    char* top = nullptr;         ///< where its stack begins; nullptr for the CPU thread's own stack
};

/// A GPU gives a thread up to 512 KiB for local variables and calls; so much is left here, too.
std::size_t local_memory_bytes();
/// True for an address that a full stack runs into.
bool is_stack_guard(const Fibre& fibre, const void* address);

/// A new fibre, with a stack of its own. Throws std::bad_alloc where no stack can be had.
Fibre* create_fibre();
/// Forgets what the fibre was doing, and makes ready that it calls `main`, which must not return;
/// gives where it can go on. Nothing on its stack is destroyed.
void* start_again(Fibre& fibre, void (*main)());
void tell_asan_of_switch(Fibre& from, const Fibre& to);
void tell_asan_of_arrival(const Fibre& here);
/// Leaves `from`, which must be the one that runs; `place` is where it can go on. Goes on at
/// `next_place`, where `to` was left.
inline void switch_fibre(Fibre& from, void** place, const Fibre& to, void* next_place) {
    if (has_asan()) tell_asan_of_switch(from, to);
    cuda_on_cpu_switch_stacks(place, next_place);
    if (has_asan()) tell_asan_of_arrival(from);
}

}  // namespace cuda_on_cpu
