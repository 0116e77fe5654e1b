// Copyright (c) 2026 The Convolab authors
// SPDX-License-Identifier: MIT
//
// Whether there is a device, and what a row of results says about it.
#pragma once

#include <cuda_runtime.h>

#include <cctype>
#include <cstddef>
#include <string>

#include "common/cuda/check.hpp"

namespace convolab {

struct DeviceInfo {
    std::string name;
    std::string driver;      ///< CUDA version such as "13.0"
    int compute_capability;  ///< 90 for 9.0
    std::size_t l2_cache_bytes;
};

/// The number of devices; 0 where there is none, also where there is no driver.
inline int device_count() {
    int count = 0;
    if (cudaGetDeviceCount(&count) == cudaSuccess) return count;
    (void)cudaGetLastError();
    return 0;
}

/// The devices that a variant with the setting `devices` uses. Throws Skipped where there are
/// fewer.
inline int devices_to_use(int setting) {
    const int count = device_count();
    if (setting > count)
        throw Skipped("The machine has " + std::to_string(count) + (count == 1 ? " GPU" : " GPUs") +
                      ", fewer than the " + std::to_string(setting) + " of --devices.");
    return setting > 0 ? setting : count;
}

/// Of the device, as /sys writes it: "0000:18:00.0".
inline std::string pci_bus_id(int device) {
    char id[32] = {};
    CUDA_CHECK(cudaDeviceGetPCIBusId(id, sizeof id, device));
    for (char& c : id) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    return id;
}

/// Throws Skipped where there is no usable device.
inline void require_device() {
    int count = 0;
    CUDA_CHECK(cudaGetDeviceCount(&count));
    if (count == 0) check(cudaErrorNoDevice, "cudaGetDeviceCount");
}

/// Throws Skipped where there is no usable device, Error where `device` is not one.
inline DeviceInfo device_info(int device = 0) {
    require_device();
    cudaDeviceProp p{};
    CUDA_CHECK(cudaGetDeviceProperties(&p, device));
    int driver = 0;
    CUDA_CHECK(cudaDriverGetVersion(&driver));
    return {p.name, std::to_string(driver / 1000) + "." + std::to_string(driver % 1000 / 10),
            10 * p.major + p.minor, static_cast<std::size_t>(p.l2CacheSize)};
}

}  // namespace convolab
