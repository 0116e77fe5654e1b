// Copyright (c) 2026 The Convolab authors
// SPDX-License-Identifier: MIT
//
// Launching a kernel: the checks that the driver makes, then block after block.
#include <string>

#include "arguments.hpp"
#include "block.hpp"
#include "device.hpp"
#include "device_access.hpp"
#include "fault.hpp"
#include "kernel.hpp"
#include "kernel_launch.hpp"
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
                     const std::vector<Address>& addresses, int device, const LaunchPlace& place) {
    const Order order = order_from_environment();
    const std::uint64_t count = std::uint64_t{grid.x} * grid.y * grid.z;
    const Permutation permutation(order, count, ~std::uint64_t{0});
    const TsanGrid tsan;
    const DeviceAccess access(addresses, device);
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
        Outcome outcome = block_of_set(tsan.set_of(index)).run(call, index, block, order, number);
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

}  // namespace

cudaError_t launch(const cudaLaunchConfig_t& config, const void* function,
                   std::shared_ptr<const KernelCall> call, std::vector<Address> addresses,
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
        return enqueue(config.stream,
                       [grid = config.gridDim, block = config.blockDim,
                        bytes = config.dynamicSmemBytes, call, addresses, number, place] {
                           const std::string wrong = wrong_address(addresses, number);
                           if (wrong.empty())
                               return run_grid(grid, block, bytes, *call, addresses, number, place);
                           report(name_of(place) + ": " + wrong + ".");
                           return cudaErrorIllegalAddress;
                       });
    });
}

}  // namespace cuda_on_cpu
