// SPDX-License-Identifier: MIT
// What a call of NPP needs.
#pragma once

#include <npp.h>

#include <stdexcept>
#include <string>

#include "common/cuda/check.hpp"

namespace peer {

inline NppStreamContext default_stream() {
    NppStreamContext context{};
    CUDA_CHECK(cudaGetDevice(&context.nCudaDeviceId));
    cudaDeviceProp device{};
    CUDA_CHECK(cudaGetDeviceProperties(&device, context.nCudaDeviceId));
    context.nMultiProcessorCount = device.multiProcessorCount;
    context.nMaxThreadsPerMultiProcessor = device.maxThreadsPerMultiProcessor;
    context.nMaxThreadsPerBlock = device.maxThreadsPerBlock;
    context.nSharedMemPerBlock = device.sharedMemPerBlock;
    context.nCudaDevAttrComputeCapabilityMajor = device.major;
    context.nCudaDevAttrComputeCapabilityMinor = device.minor;
    return context;
}

inline void require_success(const std::string& function, NppStatus status) {
    if (status < NPP_SUCCESS)
        throw std::runtime_error("NPP's " + function + " gave status " +
                                 std::to_string(static_cast<int>(status)) + ".");
}

inline std::string npp_version() {
    const NppLibraryVersion* version = nppGetLibVersion();
    return std::to_string(version->major) + "." + std::to_string(version->minor);
}

}  // namespace peer
