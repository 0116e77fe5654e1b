// SPDX-License-Identifier: MIT
#include "device/arguments.hpp"

#include "device/device.hpp"
#include "device/memory.hpp"

namespace cuda_on_cpu {
namespace {

bool is_known(const void* address) {
    const char* const end = static_cast<const char*>(address);  // an end pointer is valid, too
    return find_allocation(address).type != cudaMemoryTypeUnregistered ||
           find_allocation(end - 1).type != cudaMemoryTypeUnregistered;
}

bool is_on_another(const void* address, int device) {
    const Allocation a = find_allocation(address);
    return a.type == cudaMemoryTypeDevice && !a.registered && !uses_memory_of(device, a.device);
}

}  // namespace

std::string wrong_address(const std::vector<Address>& addresses, int device) {
    for (const auto& [address, argument, offset, is_writable, is_volatile] : addresses) {
        if (address == nullptr || offset >= 0) continue;  // in a struct: maybe a number
        const std::string which = "argument " + std::to_string(argument);
        if (is_on_another(address, device))
            return which + " is a pointer to memory of device " +
                   std::to_string(find_allocation(address).device) +
                   ", but the kernel runs on device " + std::to_string(device);
        if (is_known(address)) continue;
        const std::string freed = where_freed(address);
        return which + (freed.empty() ? " is a pointer, but not to device or pinned memory"
                                      : " is a pointer to device memory" + freed);
    }
    return {};
}

}  // namespace cuda_on_cpu
