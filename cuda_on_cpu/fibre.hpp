// Copyright (c) 2026 The Convolab authors
// SPDX-License-Identifier: MIT
//
// Fibres: stacks of their own on one CPU thread, switched by hand.
#pragma once

#include <cstddef>

namespace cuda_on_cpu {

struct Fibre {
    void* stack_pointer = nullptr;  ///< where it goes on, while it does not run
    const void* stack_bottom = nullptr;
    std::size_t stack_bytes = 0;
    void* asan_stack = nullptr;  ///< ASan's fake stack, while it does not run
    char* top = nullptr;         ///< where its stack begins; nullptr for the CPU thread's own stack
};

/// A GPU gives a thread up to 512 KiB for local variables and calls; so much is left here, too.
std::size_t local_memory_bytes();
/// True for an address that a full stack runs into.
bool is_stack_guard(const Fibre& fibre, const void* address);

/// A new fibre: when it is first switched to, it calls `main`, which must not return.
/// Throws std::bad_alloc where no stack can be had.
Fibre* create_fibre(void (*main)());
/// Forgets what the fibre was doing; it starts again with `main`. Nothing on its stack is
/// destroyed.
void restart_fibre(Fibre& fibre, void (*main)());
/// The fibre goes on soon: brings the end of its stack into the cache.
inline void prefetch(const Fibre& fibre) {
    for (int line = 0; line < 6; ++line)
        __builtin_prefetch(static_cast<const char*>(fibre.stack_pointer) + 64 * line, 1);
}
/// Leaves `from`, which must be the one that runs, and goes on where `to` was left.
void switch_fibre(Fibre& from, Fibre& to);

}  // namespace cuda_on_cpu
