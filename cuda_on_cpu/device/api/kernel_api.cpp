// SPDX-License-Identifier: MIT
// A kernel's attributes, which a program can ask for and set: its limits and its occupancy.
#include "kernel_api.hpp"

#include <algorithm>

#include "device/base/device.hpp"
#include "device/memory/shared_memory.hpp"
#include "device/threads/block.hpp"
#include "device/threads/grid.hpp"

namespace cuda_on_cpu {

cudaError_t function_attributes(cudaFuncAttributes* attributes, const void* kernel) {
    return api([&] {
        if (attributes == nullptr || kernel == nullptr) return cudaErrorInvalidValue;
        *attributes = cudaFuncAttributes{};
        attributes->maxThreadsPerBlock = largest_block;
        attributes->maxDynamicSharedSizeBytes = static_cast<int>(dynamic_limit(kernel));
        attributes->ptxVersion = attributes->binaryVersion = 90;
        return cudaSuccess;
    });
}

cudaError_t set_function_attribute(const void* kernel, cudaFuncAttribute attribute, int value) {
    return api([&] {
        if (kernel == nullptr) return cudaErrorInvalidDeviceFunction;
        if (attribute == cudaFuncAttributePreferredSharedMemoryCarveout)
            return value >= -1 && value <= 100 ? cudaSuccess : cudaErrorInvalidValue;
        if (attribute != cudaFuncAttributeMaxDynamicSharedMemorySize || value < 0 ||
            static_cast<std::size_t>(value) > largest_shared_bytes)
            return cudaErrorInvalidValue;
        set_dynamic_limit(kernel, static_cast<std::size_t>(value));
        return cudaSuccess;
    });
}

cudaError_t occupancy(int* blocks, const void* kernel, int threads, std::size_t shared_bytes) {
    return api([&] {
        if (blocks == nullptr || kernel == nullptr || threads < 1) return cudaErrorInvalidValue;
        *blocks = 0;
        if (threads > static_cast<int>(largest_block) || shared_bytes > dynamic_limit(kernel))
            return cudaSuccess;
        *blocks = blocks_on_processor(threads, shared_bytes);
        return cudaSuccess;
    });
}

cudaError_t best_block_size(int* min_grid, int* threads, const void* kernel,
                            std::size_t shared_bytes, int limit) {
    if (min_grid == nullptr || threads == nullptr) return cudaErrorInvalidValue;
    *threads = limit > 0 ? std::min(limit, 1024) : 1024;
    int blocks = 0;
    const cudaError_t error = occupancy(&blocks, kernel, *threads, shared_bytes);
    *min_grid = blocks * processors;
    return error;
}

}  // namespace cuda_on_cpu
