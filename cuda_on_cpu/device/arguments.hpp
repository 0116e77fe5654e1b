// SPDX-License-Identifier: MIT
// Checks what a kernel's arguments point to before the kernel starts.
#pragma once

#include <string>
#include <vector>

#include "kernel_launch.hpp"

namespace cuda_on_cpu {

/// "argument 2 is a pointer, but not to device or pinned memory"; empty if all arguments are valid.
/// A GPU notices a wrong pointer when the kernel uses it, but the emulator cannot close all of the
/// host's memory while a kernel runs.
std::string wrong_address(const std::vector<Address>& addresses, int device);

}  // namespace cuda_on_cpu
