// Copyright (c) 2026 The Convolab authors
// SPDX-License-Identifier: MIT
//
// free, and delete, which calls it, given memory of CUDA: told in a sentence. Where free cannot
// read the bytes before the memory, the processor stops it (fault.cpp). Before pinned and managed
// memory it can: there is our pattern, which stands before nothing that malloc gives.
#pragma once

#include <cstdint>
#include <cstring>
#include <string>

#include "device/memory.hpp"
#include "device/pattern.hpp"
#include "device/sanitizers.hpp"

namespace cuda_on_cpu {

/// The sentence; for the line, where free is called.
std::string wrong_free(const Allocation& allocation);
/// Ends the program with it, where this is memory of CUDA.
void stop_wrong_free(const void* memory);

/// For what stands in the place of free, and a part of it: there fault.cpp looks for a fault.
[[gnu::always_inline]] inline void before_free(const void* memory) {
    // Elsewhere Valgrind would call the look before the memory an invalid read; and where a page
    // begins, there may be nothing on the one before.
    constexpr std::uintptr_t smallest_page = 4096;
    std::uint64_t word = 0;
    if (has_asan() || !may_be_allocated(memory) ||
        reinterpret_cast<std::uintptr_t>(memory) % smallest_page < sizeof word)
        return;
    std::memcpy(&word, static_cast<const char*>(memory) - sizeof word, sizeof word);
    if (word == pattern_word) stop_wrong_free(memory);
}

}  // namespace cuda_on_cpu
