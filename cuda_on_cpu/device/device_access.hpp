// Copyright (c) 2026 The Convolab authors
// SPDX-License-Identifier: MIT
//
// When the device may touch its memory: while it copies or runs a kernel, and only then.
#pragma once

#include <string>
#include <vector>

#include "kernel_launch.hpp"

namespace cuda_on_cpu {

/// While it lives, the device's memory at these addresses is open. One at a time.
class DeviceAccess {
  public:
    /// For a kernel with these arguments. It may use pointers that it finds in memory, too:
    /// open_on_demand() opens what belongs to its device when it is first touched.
    DeviceAccess(const std::vector<Address>& addresses, int device);
    /// For a copy, or the host (include/host_access.hpp). __device__ variables are those of this
    /// device.
    DeviceAccess(const std::vector<const void*>& addresses, int symbols_of);
    ~DeviceAccess();
    DeviceAccess(const DeviceAccess&) = delete;
    DeviceAccess& operator=(const DeviceAccess&) = delete;

    /// What was written just outside of what is open and of the program's variables, or into a
    /// constant; empty where nothing was. After a block the nearest bytes are looked at, after the
    /// last one all.
    std::string damage_nearby() const;
    std::string damage() const;
};

/// For the handler of faults: true while a copy runs.
bool host_copies();
/// For the handler of faults: true where the device may use the address, now.
bool open_on_demand(const void* address);

/// Where an address lies, "12 bytes past the end of argument 2, device memory of 4000 bytes".
std::string describe_address(const void* address);

}  // namespace cuda_on_cpu
