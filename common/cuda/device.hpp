// SPDX-License-Identifier: MIT
// Whether there is a device, and what a row of results says about it. For the length of a scope: the
// device of this thread's calls, and CPUs next to a device.
#pragma once

#include <cuda_runtime.h>
#include <sched.h>

#include <algorithm>
#include <cctype>
#include <cstddef>
#include <string>
#include <vector>

#include "common/cuda/check.hpp"
#include "common/threads/cpus.hpp"

namespace convolab {

struct DeviceInfo {
    std::string name;
    std::string driver;      ///< CUDA version such as "13.0"
    int compute_capability;  ///< 90 for 9.0
    std::size_t l2_cache_bytes;
};

/// The number of devices; 0 also without a driver.
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

/// Throws Skipped if there is no usable device, and Error if `device` does not exist.
inline DeviceInfo device_info(int device = 0) {
    require_device();
    cudaDeviceProp p{};
    CUDA_CHECK(cudaGetDeviceProperties(&p, device));
    int driver = 0;
    CUDA_CHECK(cudaDriverGetVersion(&driver));
    return {p.name, std::to_string(driver / 1000) + "." + std::to_string(driver % 1000 / 10),
            10 * p.major + p.minor, static_cast<std::size_t>(p.l2CacheSize)};
}

/// Selects the device for the calls of this thread.
class OnDevice {
  public:
    explicit OnDevice(int device) {
        CUDA_CHECK(cudaGetDevice(&before_));
        if (device != before_) CUDA_CHECK(cudaSetDevice(device));
        changed_ = device != before_;
    }
    ~OnDevice() {
        if (changed_) static_cast<void>(cudaSetDevice(before_));
    }
    OnDevice(const OnDevice&) = delete;
    OnDevice& operator=(const OnDevice&) = delete;

  private:
    int before_ = 0;
    bool changed_ = false;
};

/// The CPUs next to a device; empty if /sys does not name them.
inline std::vector<int> cpus_near(int device) {
    return cpus_of_list(line_of("/sys/bus/pci/devices/" + pci_bus_id(device) + "/local_cpulist"));
}

/// Keeps this CPU thread on the CPUs next to a device: a machine may have two processor sockets.
/// Memory that is first written in that scope is then on the device's side, so that copies do not
/// cross from one socket to the other. Does nothing if /sys does not name those CPUs.
class NearDevice {
  public:
    explicit NearDevice(int device) {
        if (sched_getaffinity(0, sizeof before_, &before_) != 0) return;
        const auto allowed = allowed_cpus();
        cpu_set_t near;
        CPU_ZERO(&near);
        for (const int cpu : cpus_near(device))
            if (std::find(allowed.begin(), allowed.end(), cpu) != allowed.end())
                CPU_SET(cpu, &near);
        moved_ = CPU_COUNT(&near) > 0 && sched_setaffinity(0, sizeof near, &near) == 0;
    }
    ~NearDevice() {
        if (moved_) static_cast<void>(sched_setaffinity(0, sizeof before_, &before_));
    }
    NearDevice(const NearDevice&) = delete;
    NearDevice& operator=(const NearDevice&) = delete;

  private:
    cpu_set_t before_{};
    bool moved_ = false;
};

}  // namespace convolab
