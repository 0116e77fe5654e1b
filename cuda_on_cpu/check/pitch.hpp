// SPDX-License-Identifier: MIT
// Copies of memory from cudaMallocPitch, whose rows have gaps behind them.
#pragma once

#include <string>

#include "device/memory/copy.hpp"
#include "shadow.hpp"

namespace cuda_on_cpu::check {

/// What a copy of all of cudaMallocPitch's memory in one piece brings: its rows, without the gaps.
Rows without_gaps(const void* from, const Rows& rows);

/// What is wrong about a copy that takes the gaps for elements; empty if it does not.
std::string wrong_pitch(Region& source, const char* from, const Rows& rows);

}  // namespace cuda_on_cpu::check
