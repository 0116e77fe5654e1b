// Copyright (c) 2026 The Convolab authors
// SPDX-License-Identifier: MIT
//
// Kernels whose results nobody has used: neither a copy to the host nor another kernel.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "device/source_line.hpp"
#include "kernel_launch.hpp"

namespace cuda_on_cpu {

/// A kernel of so many blocks runs with these pointers.
void note_kernel(const LaunchPlace& place, const std::vector<Address>& addresses,
                 std::uint64_t blocks);
/// Of the last kernel that wrote the memory which begins there; 0: none did.
std::uint64_t blocks_of_writer(const void* begin);
/// A copy reads this memory, or a library does; `caller` is who has called it.
void note_read(const void* address, const std::function<Frames()>& caller);
void note_freed(const void* begin);

/// A sentence about each such kernel.
std::vector<std::string> unread_kernels();

}  // namespace cuda_on_cpu
