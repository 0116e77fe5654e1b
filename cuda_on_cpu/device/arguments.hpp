// Copyright (c) 2026 The Convolab authors
// SPDX-License-Identifier: MIT
//
// What a kernel's arguments point to, looked at before it starts.
#pragma once

#include <string>
#include <vector>

#include "kernel_launch.hpp"

namespace cuda_on_cpu {

/// "argument 2 is a pointer, but not to device or pinned memory"; empty where all are well. A GPU
/// notices when the kernel uses the pointer; the host's memory cannot be closed while it runs here.
std::string wrong_address(const std::vector<Address>& addresses, int device);

}  // namespace cuda_on_cpu
