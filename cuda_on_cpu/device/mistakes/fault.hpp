// SPDX-License-Identifier: MIT
// Turns an invalid access into an error message that names the kernel's thread, what it reads or
// writes, and how far outside the memory that is. The kernel ends with cudaErrorIllegalAddress, as
// on a GPU. A host that uses device memory gets such a message, too, and then ends. Under ASan,
// ASan makes the report.
#pragma once

namespace cuda_on_cpu {

/// Called in a signal handler with its third argument. When the handler returns, `function` runs on
/// the stack of the running kernel thread, which is given up.
void continue_in(void (*function)(), void* context);
/// The instruction that the signal interrupted.
const void* place_in_code(void* context);

}  // namespace cuda_on_cpu
