// SPDX-License-Identifier: MIT
// Words that the sentences share.
#pragma once

#include <cstdint>
#include <set>
#include <string>

#include "device/mistakes/observer.hpp"

namespace cuda_on_cpu::check {

/// "lab.cu:12", of an access's place in the program (names.hpp, code_offset).
const std::string& line_of(std::uint32_t code);
/// "a, b and c"; of more than five the first ones.
std::string joined(const std::set<std::string>& words);
/// "kernel blur, launched at lab.cu:20"
std::string launch_name(const Launch& launch);
/// "thread (1,0,0) of block (0,0,0)"
std::string thread_name(const Launch& launch, unsigned number, uint3 block);

}  // namespace cuda_on_cpu::check
