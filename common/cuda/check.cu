// SPDX-License-Identifier: MIT
#include <string>

#include "common/base/error.hpp"
#include "common/cuda/check.hpp"

namespace convolab {
namespace {

/// What the user can do about an error whose cause is the machine; nullptr if it is the program.
const char* remedy(cudaError_t error) {
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

}  // namespace

void report_failure(cudaError_t error, const char* call, const char* file, int line) {
    (void)cudaGetLastError();  // reported here: not a second time by the next check
    const std::string sentence = std::string(call) + " failed at " + file + ":" +
                                 std::to_string(line) + ": " + cudaGetErrorString(error) + " (" +
                                 cudaGetErrorName(error) + ")";
    if (const char* what_to_do = remedy(error)) throw Skipped(sentence + ": " + what_to_do + ".");
    throw Error(sentence + ".");
}

}  // namespace convolab
