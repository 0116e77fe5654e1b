// SPDX-License-Identifier: MIT
// What the program calls a byte of memory.
#pragma once

#include <cstdint>
#include <string>

#include "device/mistakes/observer.hpp"
#include "shadow.hpp"

namespace cuda_on_cpu::check {

constexpr const char* dynamic_memory = " of the dynamic shared memory";

/// "element 3 of s_tile", "element 250 of argument 1": an element has as many bytes as the access.
std::string element_name(const Region& region, std::uintptr_t address, std::size_t bytes,
                         const Launch& launch);

/// The compiler's note whether a shared variable with a constructor has been constructed: nothing
/// of the program's.
bool is_guard(const Region& region, std::uintptr_t address);

/// How many bytes of a variable with static storage follow the address.
std::size_t variable_bytes(std::uintptr_t address);
/// Whether this is the beginning of a table of virtual functions, as objects point to it.
bool is_virtual_table(std::uintptr_t address);

/// Where code lies from the beginning of the program, and the other way round.
std::uint32_t code_offset(const void* code);
const void* code_at(std::uint32_t offset);

}  // namespace cuda_on_cpu::check
