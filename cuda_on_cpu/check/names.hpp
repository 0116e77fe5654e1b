// SPDX-License-Identifier: MIT
// What the program calls a place in memory or in its text, and words that the sentences share.
#pragma once

#include <cstdint>
#include <set>
#include <string>

#include "device/base/observer.hpp"
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

/// "lab.cu:12", of an access's place in the program (names.hpp, code_offset).
const std::string& line_of(std::uint32_t code);
/// The same as a part of a finding.
Finding place_of(std::uint32_t code);
/// "a, b and c"; of more than five the first ones.
Finding joined(const std::set<Finding>& words);
/// "kernel blur, launched at lab.cu:20"
Finding launch_name(const Launch& launch);
/// "thread (1,0,0) of block (0,0,0)"
std::string thread_name(const Launch& launch, unsigned number, uint3 block);

}  // namespace cuda_on_cpu::check
