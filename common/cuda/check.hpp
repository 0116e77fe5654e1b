// SPDX-License-Identifier: MIT
// Checks of CUDA calls. They are always on, on a GPU and on the CPU.
//
//     CUDA_CHECK(cudaMemcpy(d_in, h_in, bytes, cudaMemcpyHostToDevice));
//
// A failed call throws Error: one sentence with the call, its file and line, and CUDA's message.
// If the cause is the machine and not the program (no GPU, old driver, out of memory), it throws
// Skipped, and the sentence says what to do.
#pragma once

#include <cuda_runtime.h>

#include <string>

#include "common/base/error.hpp"

namespace convolab {

/// Throws. `call` is the text of the call that returned `error`.
[[noreturn]] void report_failure(cudaError_t error, const char* call, const char* file, int line);

/// Throws if `error` is an error.
inline void check(cudaError_t error, const char* call, const char* file = __builtin_FILE(),
                  int line = __builtin_LINE()) {
    if (error != cudaSuccess) report_failure(error, call, file, line);
}

}  // namespace convolab

#define CUDA_CHECK(call) ::convolab::check((call), #call)
