// Copyright (c) 2026 The Convolab authors
// SPDX-License-Identifier: MIT
//
// Launching a kernel: the checks that the driver makes, then block after block.
#include <string>

#include "block.hpp"
#include "device.hpp"
#include "device_access.hpp"
#include "fault.hpp"
#include "kernel.hpp"
#include "kernel_launch.hpp"
#include "memory.hpp"
#include "order.hpp"
#include "report.hpp"
#include "shared_memory.hpp"
#include "stream.hpp"
#include "watchdog.hpp"

namespace cuda_on_cpu {
namespace {

std::string name_of(const LaunchPlace& place) {
    if (place.kernel == nullptr) return "a kernel";
    return "kernel " + std::string(place.kernel) + ", launched at " + place.file + ":" +
           std::to_string(place.line);
}

// Why the driver refuses this shape; nothing where it does not. 64-bit products of the three sizes
// cannot overflow after the single checks.
std::string wrong_shape(dim3 grid, dim3 block, std::size_t bytes, std::size_t limit) {
    const auto within = [](unsigned value, unsigned maximum) {
        return value >= 1 && value <= maximum;
    };
    if (!within(grid.x, 2147483647) || !within(grid.y, 65535) || !within(grid.z, 65535))
        return "a grid of " + text_of(grid) +
               " blocks; allowed are 1 to 2147483647 in x, 1 to 65535 in y and z";
    if (!within(block.x, 1024) || !within(block.y, 1024) || !within(block.z, 64) ||
        std::uint64_t{block.x} * block.y * block.z > largest_block)
        return "a block of " + text_of(block) +
               " threads; allowed are 1 to 1024 in x and y, 1 to 64 in z, 1024 in all";
    if (bytes > limit)
        return std::to_string(bytes) + " bytes of dynamic shared memory; allowed are " +
               std::to_string(limit) +
               " (cudaFuncSetAttribute with cudaFuncAttributeMaxDynamicSharedMemorySize allows "
               "up to " +
               std::to_string(largest_shared_bytes) + ")";
    return {};
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

cudaError_t run_grid(dim3 grid, dim3 block, std::size_t dynamic_bytes, const KernelCall& call,
                     const std::vector<const void*>& pointers, int device,
                     const LaunchPlace& place) {
    const Order order = order_from_environment();
    const std::uint64_t count = std::uint64_t{grid.x} * grid.y * grid.z;
    const Permutation permutation(order, count, ~std::uint64_t{0});
    const DeviceAccess access(pointers, device);
    const SharedMemory shared(dynamic_bytes);
    watch_kernel_for_faults();
    watch_progress();
    gridDim = grid;
    for (std::uint64_t i = 0; i < count; ++i) {
        const std::uint64_t number = permutation[i];
        const uint3 index{static_cast<unsigned>(number % grid.x),
                          static_cast<unsigned>(number / grid.x % grid.y),
                          static_cast<unsigned>(number / grid.x / grid.y)};
        shared.forget();
        Outcome outcome = running_block().run(call, index, block, order, number);
        std::string damage = access.damage_nearby();
        if (damage.empty()) damage = shared.damage();
        if (outcome.error == cudaSuccess && !damage.empty())
            outcome = {cudaErrorIllegalAddress, "a thread writes " + damage};
        if (outcome.error != cudaSuccess) {
            report(name_of(place) + ": block " + text_of(index) + " of " + text_of(grid) + ": " +
                   outcome.text + ".");
            return outcome.error;
        }
    }
    const std::string damage = access.damage();
    if (damage.empty()) return cudaSuccess;
    report(name_of(place) + ": a thread of one of the blocks writes " + damage + ".");
    return cudaErrorIllegalAddress;
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
cudaError_t check_pointers(const std::vector<const void*>& pointers, int device,
                           const LaunchPlace& place) {
    for (std::size_t i = 0; i < pointers.size(); ++i) {
        if (pointers[i] == nullptr) continue;
        const char* const pointer = static_cast<const char*>(pointers[i]);
        const auto argument = [&] {
            return name_of(place) + ": argument " + std::to_string(i + 1);
        };
        if (is_on_another(pointer, device)) {
            report(argument() + " is a pointer to memory of device " +
                   std::to_string(find_allocation(pointer).device) +
                   ", but the kernel runs on device " + std::to_string(device) + ".");
            return cudaErrorIllegalAddress;
        }
        if (is_known(pointer) || is_known(pointer - 1)) continue;  // the end is as good

        report(argument() + " is a pointer, but not to device or pinned memory.");
        return cudaErrorIllegalAddress;
    }
    return cudaSuccess;
}

}  // namespace

cudaError_t launch(const cudaLaunchConfig_t& config, const void* function,
                   std::shared_ptr<const KernelCall> call, std::vector<const void*> pointers,
                   const LaunchPlace& place) {
    // cudaLaunchKernelEx returns its errors; <<< >>> leaves them, easily overlooked
    const auto say = [&](const std::string& sentence) {
        if (place.kernel != nullptr) report(name_of(place) + ": " + sentence + ".");
    };
    return api([&] {
        if (function == nullptr) {
            say("the pointer to the kernel is null");
            return cudaErrorInvalidDeviceFunction;
        }
        const auto stream = find_stream(config.stream);
        const int number = device().current;
        if (stream == nullptr || (stream->device != any_device && stream->device != number)) {
            say("there is no such stream on device " + std::to_string(number));
            return cudaErrorInvalidResourceHandle;
        }
        const std::string shape = wrong_shape(config.gridDim, config.blockDim,
                                              config.dynamicSmemBytes, dynamic_limit(function));
        if (!shape.empty()) {
            say(shape);
            return cudaErrorInvalidValue;
        }
        if (!has_valid_attributes(config)) return cudaErrorNotSupported;
        return enqueue(
            config.stream, [grid = config.gridDim, block = config.blockDim,
                            bytes = config.dynamicSmemBytes, call, pointers, number, place] {
                const cudaError_t error = check_pointers(pointers, number, place);
                return error != cudaSuccess
                           ? error
                           : run_grid(grid, block, bytes, *call, pointers, number, place);
            });
    });
}

}  // namespace cuda_on_cpu
