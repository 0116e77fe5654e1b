// Copyright (c) 2026 The Convolab authors
// SPDX-License-Identifier: MIT
//
// For the length of a scope: the device of this thread's calls, and CPUs next to a device.
#pragma once

#include <cuda_runtime.h>
#include <sched.h>

#include <algorithm>
#include <string>
#include <vector>

#include "common/cuda/check.hpp"
#include "common/cuda/device.hpp"
#include "common/threads/pinning.hpp"
#include "common/threads/topology.hpp"

namespace convolab {

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

/// The CPUs next to a device; empty where /sys does not name them.
inline std::vector<int> cpus_near(int device) {
    return cpus_of_list(line_of("/sys/bus/pci/devices/" + pci_bus_id(device) + "/local_cpulist"));
}

/// Keeps this CPU thread on the CPUs next to a device: a machine may have two processor sockets.
/// Memory that is first written in that scope is then on the device's side, so that copies do not
/// cross from one socket to the other. Does nothing where /sys does not name those CPUs.
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
