// Copyright (c) 2026 The Convolab authors
// SPDX-License-Identifier: MIT
//
// An access that the processor refuses becomes a sentence: which thread of a kernel, where it reads
// or writes, and how far outside of what. The kernel ends with cudaErrorIllegalAddress, as on a
// GPU. The same for a host that uses device memory; it then ends. Under ASan the report is ASan's.
#pragma once

#include <string>

namespace cuda_on_cpu {

/// Cheap, so at each allocation and launch: a test framework puts handlers of its own in the place.
void watch_for_faults();
/// The same, for the kernels that this CPU thread runs: one may use up its stack.
void watch_kernel_for_faults();

/// In a signal's handler, with its third argument: goes on in `function` when the handler returns,
/// on the stack of the kernel thread that runs, which is given up.
void continue_in(void (*function)(), void* context);
/// Whether it is code of the program, not of a library.
bool is_in_program(const void* code);
/// The instruction that the signal interrupted.
const void* place_in_code(void* context);

}  // namespace cuda_on_cpu
