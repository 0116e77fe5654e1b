// SPDX-License-Identifier: MIT
// Detects a copy that brings unwritten bytes to the host, as far as a single run can show it.
// `cuda-on-cpu check` finds more.
#pragma once

#include <functional>

#include "device/copy.hpp"
#include "device/source_line.hpp"

namespace cuda_on_cpu {

/// Called after a copy; `caller` gives the stack that called it.
void tell_unwritten(const void* from, const void* to, const Rows& rows,
                    const std::function<Frames()>& caller);

/// What a copy of all of cudaMallocPitch's memory in one piece brings: its rows, without the gaps.
Rows without_gaps(const void* from, const Rows& rows);

}  // namespace cuda_on_cpu
