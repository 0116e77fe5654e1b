// Copyright (c) 2026 The Convolab authors
// SPDX-License-Identifier: MIT
//
// Keeps this CPU thread on the CPUs next to a device, for the length of a scope. A machine may have
// two processor sockets. Memory that is first written in that scope is then on the device's side,
// so that copies do not cross from one socket to the other. Does nothing where /sys does not name
// those CPUs.
#pragma once

#include <cuda_runtime.h>
#include <sched.h>

#include <algorithm>
#include <fstream>
#include <string>
#include <vector>

#include "common/cuda/device.hpp"
#include "common/threads/pinning.hpp"
#include "common/threads/topology.hpp"

namespace convolab {

/// The CPUs next to a device; empty where /sys does not name them.
inline std::vector<int> cpus_near(int device) {
    std::ifstream file("/sys/bus/pci/devices/" + pci_bus_id(device) + "/local_cpulist");
    std::string text;
    std::getline(file, text);
    return cpus_of_list(text);
}

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
