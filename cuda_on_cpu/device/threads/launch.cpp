// SPDX-License-Identifier: MIT
// Launches a kernel: first the checks that the driver makes, then one block after another.
#include <cstdio>
#include <cstdlib>
#include <string>

#include "device/base/device.hpp"
#include "device/base/observer.hpp"
#include "device/base/report.hpp"
#include "device/base/source_line.hpp"
#include "device/memory/allocations.hpp"
#include "device/memory/guarded_bytes.hpp"
#include "device/memory/pending_work.hpp"
#include "device/memory/shared_memory.hpp"
#include "device/memory/stream.hpp"
#include "device/memory/variables.hpp"
#include "device/threads/block.hpp"
#include "device/threads/grid.hpp"
#include "kernel_launch.hpp"
#include "overlooked.hpp"

namespace cuda_on_cpu {
namespace {

// Why the driver would reject this shape; empty if it would not. The product of the three sizes
// cannot overflow 64 bits, because each size was checked first.
Finding wrong_shape(dim3 grid, dim3 block, std::size_t bytes, std::size_t limit) {
    const auto within = [](unsigned value, unsigned maximum) {
        return value >= 1 && value <= maximum;
    };
    if (!within(grid.x, 2147483647) || !within(grid.y, 65535) || !within(grid.z, 65535))
        return {Kind::grid_shape,
                "a grid of " + text_of(grid) +
                    " blocks; allowed are 1 to 2147483647 in x, 1 to 65535 in y and z"};
    if (!within(block.x, 1024) || !within(block.y, 1024) || !within(block.z, 64) ||
        std::uint64_t{block.x} * block.y * block.z > largest_block)
        return {grid.x > 31 && wrong_shape(block, grid, bytes, limit).empty() ? Kind::swapped_shape
                                                                              : Kind::block_shape,
                "a block of " + text_of(block) +
                    " threads; allowed are 1 to 1024 in x and y, 1 to 64 in z, 1024 in all"};
    if (bytes > limit)
        return {Kind::too_much_shared,
                std::to_string(bytes) + " bytes of dynamic shared memory; allowed are " +
                    std::to_string(limit) +
                    " (cudaFuncSetAttribute with cudaFuncAttributeMaxDynamicSharedMemorySize "
                    "allows up to " +
                    std::to_string(largest_shared_bytes) + ")"};
    return {};
}

// The stream's device. If the launch is in a header, also the line that called it.
Finding where_else(const Stream* stream, const LaunchPlace& place) {
    const Finding line = calling_place();
    if (place.file == nullptr) return {};
    const std::string launched = std::string(place.file) + ":" + std::to_string(place.line);
    const Finding caller =
        line.text.find(" at " + launched) == 0 || line.empty() ? "" : "; it is called" + line;
    return (stream == nullptr ? "" : ", but on device " + std::to_string(stream->device)) + caller;
}

bool has_valid_attributes(const cudaLaunchConfig_t& config) {
    if (config.numAttrs > 0 && config.attrs == nullptr) return false;
    for (unsigned i = 0; i < config.numAttrs; ++i) {
        const cudaLaunchAttribute& attribute = config.attrs[i];
        if (attribute.id == cudaLaunchAttributeClusterDimension &&
            (attribute.val.clusterDim.x > 1 || attribute.val.clusterDim.y > 1 ||
             attribute.val.clusterDim.z > 1))
            return false;
    }
    return true;
}

bool is_cooperative(const cudaLaunchConfig_t& config) {
    for (unsigned i = 0; i < config.numAttrs; ++i)
        if (config.attrs[i].id == cudaLaunchAttributeCooperative &&
            config.attrs[i].val.cooperative != 0)
            return true;
    return false;
}

bool fits_at_once(const cudaLaunchConfig_t& config) {
    const dim3 grid = config.gridDim, block = config.blockDim;
    const int blocks =
        blocks_on_processor(static_cast<int>(block.x * block.y * block.z), config.dynamicSmemBytes);
    return std::uint64_t{grid.x} * grid.y * grid.z <=
           static_cast<std::uint64_t>(blocks) * processors;
}

bool is_known(const void* address) {
    const char* const end = static_cast<const char*>(address);  // an end pointer is valid, too
    return is_managed_variable(address) ||
           find_allocation(address).type != cudaMemoryTypeUnregistered ||
           find_allocation(end - 1).type != cudaMemoryTypeUnregistered;
}

bool is_on_another(const void* address, int device) {
    const Allocation a = find_allocation(address);
    return a.type == cudaMemoryTypeDevice && !a.registered && !uses_memory_of(device, a.device);
}

// "argument 2 is a pointer, but not to device or pinned memory"; empty if all arguments are valid.
// A GPU notices a wrong pointer when the kernel uses it, but here a kernel could use the host's
// memory.
Finding wrong_address(const std::vector<Address>& addresses, int device) {
    for (const Address& argument : addresses) {
        const void* const address = argument.value;
        if (address == nullptr || argument.offset >= 0) continue;  // in a struct: maybe a number
        const std::string which = name_of(argument);
        if (is_on_another(address, device))
            return {Kind::other_device, which + " is a pointer to memory of device " +
                                            std::to_string(find_allocation(address).device) +
                                            ", but the kernel runs on device " +
                                            std::to_string(device)};
        if (const Finding host_copy = host_copy_at(address); !host_copy.empty())
            return which + " is a pointer to host memory" + host_copy;
        // `check` names the line that uses it; a closed page stops who uses what was freed.
        if (is_known(address) || was_freed(address) || (observer != nullptr && is_checked()))
            continue;
        return {Kind::host_memory, which + " is a pointer, but not to device or pinned memory"};
    }
    return {};
}

}  // namespace

bool is_kernel_beginning = false;

cudaError_t launch(const cudaLaunchConfig_t& config, const void* function, const KernelCall* call,
                   const Address* first, const Address* end, const LaunchPlace& place) {
    const std::shared_ptr<const KernelCall> shared_call(call);
    const std::vector<Address> addresses(first, end);
    // A program easily overlooks the error of <<< >>>, and of a function that launches.
    const auto report_launch = [&](const Finding& why, Weight weight = Weight::mistake) {
        if (place.kernel != nullptr) report(weight, name_of(place) + ": " + why + ".");
    };
    return api([&] {
        if (running_block().is_in_kernel()) {
            report_launch(
                {Kind::dynamic_parallelism,
                 "a kernel launches it; CUDA on the CPU does not have dynamic parallelism"},
                Weight::limit);
            return cudaErrorNotSupported;
        }
        if (function == nullptr) {
            report_launch({Kind::null_kernel, "the pointer to the kernel is null"});
            return cudaErrorInvalidDeviceFunction;
        }
        const auto stream = find_stream(config.stream);
        const int number = current_device();
        if (stream == nullptr || stream->device != number) {
            report_launch({Kind::no_stream, "there is no such stream on device " +
                                                std::to_string(number) +
                                                where_else(stream.get(), place)});
            return cudaErrorInvalidResourceHandle;
        }
        const Finding shape = wrong_shape(config.gridDim, config.blockDim, config.dynamicSmemBytes,
                                          dynamic_limit(function));
        if (!shape.empty()) {
            report_launch(shape);
            return cudaErrorInvalidValue;  // measured: CUDA 13.0, whatever is wrong
        }
        if (!has_valid_attributes(config)) return cudaErrorNotSupported;
        const bool cooperative = is_cooperative(config);
        if (cooperative && !fits_at_once(config)) {
            report_launch({Kind::too_many_blocks,
                           "more blocks than can run at once, which a cooperative launch needs"});
            return cudaErrorCooperativeLaunchTooLarge;
        }
        std::shared_ptr<const PendingWork> pending;
        if (place.kernel != nullptr && stream->capture == nullptr)
            pending = std::make_shared<const PendingWork>(place, addresses);
        return enqueue(
            config.stream,
            [grid = Grid{config.gridDim, config.blockDim, config.dynamicSmemBytes, cooperative,
                         shared_call, addresses, number, place, stream->capture != nullptr},
             pending] {
                const Finding wrong = wrong_address(grid.addresses, grid.device);
                if (wrong.empty()) return run_grid(grid);
                report(name_of(grid.place) + ": " + wrong + ".");
                return cudaErrorIllegalAddress;
            });
    });
}

void begin_kernel(const char* name) {
    if (is_kernel_beginning) {
        is_kernel_beginning = false;
        return;
    }
    const auto what = [name] {
        return Finding(Kind::called_kernel, "calls kernel " + std::string(name) +
                                                " without <<< >>>" + line_behind_caller());
    };
    if (running_block().is_in_kernel())
        running_block().stop(cudaErrorLaunchFailure, [&] {
            return what() + "; a function that kernels call is __device__";
        });
    report(Weight::fatal,
           "the host " + what() + ". Launch it: " + name + "<<<blocks, threads>>>(...).");
    std::fflush(nullptr);
    std::_Exit(1);
}

}  // namespace cuda_on_cpu
