// SPDX-License-Identifier: MIT
// Opens the device's memory only while the device copies or runs a kernel.
#pragma once

#include <string>
#include <vector>

#include "kernel_launch.hpp"

namespace cuda_on_cpu {

/// While it lives, the device's memory at these addresses is open. Only one may exist at a time.
class DeviceAccess {
  public:
    /// For a kernel with these arguments. The kernel may also use pointers that it finds in memory:
    /// open_on_demand() opens such memory of its device at the first access.
    DeviceAccess(const std::vector<Address>& addresses, int device);
    /// For a copy, or for the host (include/host_access.hpp). __device__ variables have this
    /// device's values.
    DeviceAccess(const std::vector<const void*>& addresses, int symbols_of);
    ~DeviceAccess();
    DeviceAccess(const DeviceAccess&) = delete;
    DeviceAccess& operator=(const DeviceAccess&) = delete;
};

/// For the fault handler: true while a copy runs.
bool host_copies();
/// For the fault handler: true if the device may use the address now. A library reads a string by
/// aligned words, of which the first may begin before it.
bool open_on_demand(const void* address, bool by_library = false);

/// Describes an address, e.g. "12 bytes past the end of argument 2, device memory of 4000 bytes".
Finding describe_address(const void* address);

}  // namespace cuda_on_cpu
