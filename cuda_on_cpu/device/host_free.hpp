// SPDX-License-Identifier: MIT
// Reports a free (or delete, which calls it) of CUDA's memory. If free cannot read the bytes before
// the memory, the processor stops it (fault.cpp). Before pinned and managed memory it can, but
// there is the emulator's pattern, which malloc never puts before a block.
#pragma once

#include <cstdint>
#include <cstring>
#include <string>

#include "device/memory.hpp"
#include "device/pattern.hpp"
#include "device/sanitizers.hpp"

namespace cuda_on_cpu {

/// The error message; call it where free is called, because it names that line.
std::string wrong_free(const Allocation& allocation);
/// Ends the program with that message if the memory is CUDA's.
void stop_wrong_free(const void* memory);

/// Must be inlined into free's replacement, because fault.cpp recognises a fault in it by that
/// function's name.
[[gnu::always_inline]] inline void before_free(const void* memory) {
    // Elsewhere Valgrind would call this look at the preceding bytes an invalid read. At the
    // beginning of a page the preceding page may not exist.
    constexpr std::uintptr_t smallest_page = 4096;
    std::uint64_t word = 0;
    if (has_asan() || !may_be_allocated(memory) ||
        reinterpret_cast<std::uintptr_t>(memory) % smallest_page < sizeof word)
        return;
    std::memcpy(&word, static_cast<const char*>(memory) - sizeof word, sizeof word);
    if (word == pattern_word) stop_wrong_free(memory);
}

}  // namespace cuda_on_cpu
