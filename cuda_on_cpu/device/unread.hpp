// SPDX-License-Identifier: MIT
// Finds kernels whose results neither a copy to the host nor another kernel has used.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "device/source_line.hpp"
#include "kernel_launch.hpp"

namespace cuda_on_cpu {

/// A kernel runs with these pointers.
void note_kernel(const LaunchPlace& place, const std::vector<Address>& addresses);
/// A copy or a library reads this memory; `caller` gives the stack of the call.
void note_read(const void* address, const std::function<Frames()>& caller);
void note_freed(const void* begin);

/// A message for each such kernel.
std::vector<std::string> unread_kernels();

}  // namespace cuda_on_cpu
