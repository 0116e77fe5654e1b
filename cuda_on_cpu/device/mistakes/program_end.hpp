// SPDX-License-Identifier: MIT
// Reports when the program ends: work that never ran, results that neither a copy to the host nor
// another kernel has used, and errors that the program did not check.
#pragma once

#include <functional>
#include <vector>

#include "device/base/source_line.hpp"
#include "kernel_launch.hpp"

namespace cuda_on_cpu {

/// Called when the program asks for errors: it then knows about those of earlier, unchecked calls.
void forget_unchecked();

/// A kernel runs with these pointers. It counts as the writer of all memory to which it has a
/// non-const pointer.
void note_kernel(const LaunchPlace& place, const std::vector<Address>& addresses, bool in_graph);
/// A copy or a library reads this memory; `caller` gives the stack of the call.
void note_read(const void* address, const std::function<Frames()>& caller);
void note_freed(const void* begin);

}  // namespace cuda_on_cpu
