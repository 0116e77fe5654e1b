// SPDX-License-Identifier: MIT
// Finds kernels whose results neither a copy to the host nor another kernel has used.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "device/source_line.hpp"
#include "kernel_launch.hpp"

namespace cuda_on_cpu {

/// A kernel with this many blocks runs with these pointers.
void note_kernel(const LaunchPlace& place, const std::vector<Address>& addresses,
                 std::uint64_t blocks);
/// How many blocks the last kernel had that wrote the memory beginning there; 0 if none did.
std::uint64_t blocks_of_writer(const void* begin);
/// A copy or a library reads this memory; `caller` gives the stack of the call.
void note_read(const void* address, const std::function<Frames()>& caller);
void note_freed(const void* begin);

/// A message for each such kernel.
std::vector<std::string> unread_kernels();

}  // namespace cuda_on_cpu
