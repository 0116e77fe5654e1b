// Copyright (c) 2026 The Convolab authors
// SPDX-License-Identifier: MIT
//
// Checks of CUDA calls. They are always on, on a GPU and on the CPU.
//
//     CUDA_CHECK(cudaMemcpy(d_in, h_in, bytes, cudaMemcpyHostToDevice));
//
// A failed call throws Error: one sentence with the call, its file and line, and CUDA's message.
// Where the machine is the cause and not the program (no GPU, old driver, out of memory), it throws
// Skipped, and the sentence says what to do.
#pragma once

#include <cuda_runtime.h>

#include <string>

#include "common/base/error.hpp"

namespace convolab {

/// What the user can do about an error whose cause is the machine; nullptr where it is the program.
inline const char* remedy(cudaError_t error) {
    switch (error) {
        case cudaErrorNoDevice:
            return "use a machine with an NVIDIA GPU, or the build that runs CUDA on the CPU";
        case cudaErrorInsufficientDriver:
        case cudaErrorUnsupportedPtxVersion:
            return "update the NVIDIA driver, or build with an older CUDA toolkit";
        case cudaErrorStubLibrary:
        case cudaErrorSystemDriverMismatch:
        case cudaErrorSystemNotReady:
        case cudaErrorInitializationError:
        case cudaErrorCompatNotSupportedOnDevice:
            return "install or repair the NVIDIA driver (nvidia-smi must list the GPU)";
        case cudaErrorDevicesUnavailable:
            return "wait until the other program that uses the GPU has ended";
        case cudaErrorNoKernelImageForDevice:
        case cudaErrorInvalidKernelImage:
            return "build again with CUDA_ARCH set to the architecture of this GPU";
        case cudaErrorMemoryAllocation:
            return "use a smaller image, or a GPU with more memory";
        default:
            return nullptr;
    }
}

/// Throws where `error` is an error. `call` is the text of the call.
inline void check(cudaError_t error, const char* call, const char* file = __builtin_FILE(),
                  int line = __builtin_LINE()) {
    if (error == cudaSuccess) return;
    (void)cudaGetLastError();  // reported here: not a second time by the next check
    const std::string sentence = std::string(call) + " failed at " + file + ":" +
                                 std::to_string(line) + ": " + cudaGetErrorString(error) + " (" +
                                 cudaGetErrorName(error) + ")";
    if (const char* what_to_do = remedy(error)) throw Skipped(sentence + ": " + what_to_do + ".");
    throw Error(sentence + ".");
}

}  // namespace convolab

#define CUDA_CHECK(call) ::convolab::check((call), #call)
