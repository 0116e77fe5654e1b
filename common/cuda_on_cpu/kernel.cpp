// Copyright (c) 2026 The Convolab authors
// SPDX-License-Identifier: MIT
//
// Launching a kernel: the checks that the driver makes, then block after block.
#include <algorithm>
#include <map>
#include <string>

#include "block.hpp"
#include "device.hpp"
#include "kernel_api.hpp"
#include "memory.hpp"
#include "order.hpp"
#include "report.hpp"
#include "shared_memory.hpp"
#include "stream.hpp"

namespace cuda_on_cpu {
namespace {

std::map<const void*, std::size_t>& dynamic_limits() {
    static auto& limits =
        *new std::map<const void*, std::size_t>;  // of cudaFuncSetAttribute, in bytes
    return limits;
}
std::size_t dynamic_limit(const void* kernel) {
    const auto found = dynamic_limits().find(kernel);
    return found == dynamic_limits().end() ? default_shared_bytes : found->second;
}

// 64-bit products of the three sizes cannot overflow after the single checks.
bool is_valid(dim3 grid, dim3 block) {
    const auto within = [](unsigned value, unsigned most) { return value >= 1 && value <= most; };
    return within(grid.x, 2147483647) && within(grid.y, 65535) && within(grid.z, 65535) &&
           within(block.x, 1024) && within(block.y, 1024) && within(block.z, 64) &&
           std::uint64_t{block.x} * block.y * block.z <= largest_block;
}

bool has_valid_attributes(const cudaLaunchConfig_t& config) {
    if (config.numAttrs > 0 && config.attrs == nullptr) return false;
    for (unsigned i = 0; i < config.numAttrs; ++i) {
        const cudaLaunchAttribute& attribute = config.attrs[i];
        if (attribute.id == cudaLaunchAttributeCooperative && attribute.val.cooperative != 0)
            return false;
        if (attribute.id == cudaLaunchAttributeClusterDimension &&
            (attribute.val.clusterDim.x > 1 || attribute.val.clusterDim.y > 1 ||
             attribute.val.clusterDim.z > 1))
            return false;
    }
    return true;
}

cudaError_t run_grid(dim3 grid, dim3 block, std::size_t dynamic_bytes, const KernelCall& call) {
    const Order order = order_from_environment();
    const std::uint64_t count = std::uint64_t{grid.x} * grid.y * grid.z;
    const Permutation permutation(order, count, ~std::uint64_t{0});
    const DeviceAccess access;
    const SharedMemory shared(dynamic_bytes);
    gridDim = grid;
    for (std::uint64_t i = 0; i < count; ++i) {
        const std::uint64_t number = permutation[i];
        const uint3 index{static_cast<unsigned>(number % grid.x),
                          static_cast<unsigned>(number / grid.x % grid.y),
                          static_cast<unsigned>(number / grid.x / grid.y)};
        shared.forget();
        const std::string failure = running_block().run(call, index, block, order, number);
        if (!failure.empty()) {
            report("block " + text_of(index) + " of " + text_of(grid) + ": " + failure + ".");
            return cudaErrorLaunchFailure;
        }
    }
    return cudaSuccess;
}

bool is_known(const void* pointer) {
    return find_allocation(pointer).type != cudaMemoryTypeUnregistered;
}

bool is_on_another(const void* pointer, int device) {
    const Allocation a = find_allocation(pointer);
    return a.type == cudaMemoryTypeDevice && !a.registered && a.device != device;
}

// The GPU notices when the kernel uses the pointer; here the kernel is not even started. Memory
// that is not the device's may be freed host memory, so that nothing else can be said about it.
cudaError_t check_pointers(const std::vector<const void*>& pointers, int device) {
    for (std::size_t i = 0; i < pointers.size(); ++i) {
        if (pointers[i] == nullptr) continue;
        const char* const pointer = static_cast<const char*>(pointers[i]);
        if (is_on_another(pointer, device)) {
            report("argument " + std::to_string(i + 1) + " of a kernel on device " +
                   std::to_string(device) + " is a pointer to memory of device " +
                   std::to_string(find_allocation(pointer).device) + ".");
            return cudaErrorIllegalAddress;
        }
        if (is_known(pointer) || is_known(pointer - 1)) continue;  // the end is as good

        report("argument " + std::to_string(i + 1) +
               " of a kernel is a pointer, but not to device or pinned memory.");
        return cudaErrorIllegalAddress;
    }
    return cudaSuccess;
}

}  // namespace

cudaError_t launch(const cudaLaunchConfig_t& config, const void* kernel,
                   std::shared_ptr<const KernelCall> call, std::vector<const void*> pointers) {
    return api([&] {
        if (kernel == nullptr) return cudaErrorInvalidDeviceFunction;
        const auto stream = find_stream(config.stream);
        const int number = device().current;
        if (stream == nullptr || (stream->device != any_device && stream->device != number))
            return cudaErrorInvalidResourceHandle;
        if (!is_valid(config.gridDim, config.blockDim) ||
            config.dynamicSmemBytes > dynamic_limit(kernel))
            return cudaErrorInvalidValue;
        if (!has_valid_attributes(config)) return cudaErrorNotSupported;
        return enqueue(config.stream, [grid = config.gridDim, block = config.blockDim,
                                       bytes = config.dynamicSmemBytes, call, pointers, number] {
            const cudaError_t error = check_pointers(pointers, number);
            return error != cudaSuccess ? error : run_grid(grid, block, bytes, *call);
        });
    });
}

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
        dynamic_limits()[kernel] = static_cast<std::size_t>(value);
        return cudaSuccess;
    });
}

cudaError_t occupancy(int* blocks, const void* kernel, int threads, std::size_t shared_bytes) {
    return api([&] {
        if (blocks == nullptr || kernel == nullptr || threads < 1) return cudaErrorInvalidValue;
        *blocks = 0;
        if (threads > static_cast<int>(largest_block) || shared_bytes > dynamic_limit(kernel))
            return cudaSuccess;
        const int warps = (threads + 31) / 32;
        *blocks =
            std::min(largest_blocks_per_processor, largest_threads_per_processor / 32 / warps);
        const std::size_t with_reserve =
            shared_bytes + 1024;  // what the system keeps of each block
        *blocks = std::min(*blocks, static_cast<int>((largest_shared_bytes + 1024) / with_reserve));
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
