// Copyright (c) 2026 The Convolab authors
// SPDX-License-Identifier: MIT
//
// Keeps this CPU thread on the CPUs next to a device, for the length of a scope. On a machine with two
// processor sockets, memory that is first written in that scope is then on the device's side, and
// copies do not cross from one socket to the other. Does nothing where /sys does not name those CPUs.
#pragma once

#include <cuda_runtime.h>
#include <sched.h>

#include <cctype>
#include <fstream>
#include <sstream>
#include <string>

#include "common/cuda/check.hpp"

namespace convolab {

/// "0-3,8" as a set of CPUs; empty for anything else.
inline cpu_set_t cpus_of_list(const std::string& text) {
    cpu_set_t cpus, none;
    CPU_ZERO(&cpus);
    CPU_ZERO(&none);
    std::istringstream list(text);
    std::string item;
    while (std::getline(list, item, ',')) {
        int first = 0, last = 0;
        char dash = 0;
        std::istringstream range(item);
        if (!(range >> first)) return none;
        last = first;
        if (range >> dash && (dash != '-' || !(range >> last))) return none;
        for (int cpu = first; cpu <= last && cpu < CPU_SETSIZE; ++cpu) CPU_SET(cpu, &cpus);
    }
    return cpus;
}

class NearDevice {
  public:
    explicit NearDevice(int device) {
        char id[32] = {};
        CUDA_CHECK(cudaDeviceGetPCIBusId(id, sizeof id, device));
        for (char& c : id) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
        std::ifstream file("/sys/bus/pci/devices/" + std::string(id) + "/local_cpulist");
        std::string text;
        if (!std::getline(file, text) || sched_getaffinity(0, sizeof before_, &before_) != 0)
            return;
        cpu_set_t near = cpus_of_list(text);
        CPU_AND(&near, &near, &before_);  // no CPU that this program may not use
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
