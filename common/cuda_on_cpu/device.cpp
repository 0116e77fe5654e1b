// Copyright (c) 2026 The Convolab authors
// SPDX-License-Identifier: MIT
//
#include "device.hpp"

#include <cstdio>
#include <cstdlib>

namespace cuda_on_cpu {

Device& device() {
    static Device& the_device = *new Device;  // outlives the program's own static objects
    return the_device;
}

bool device_is_visible() {
    const char* const visible = std::getenv("CUDA_VISIBLE_DEVICES");
    return visible == nullptr || (visible[0] != '\0' && visible[0] != '-');
}

int device_count() {
    if (!device_is_visible()) return 0;
    const char* const value = std::getenv("CUDA_ON_CPU_DEVICES");
    if (value == nullptr || value[0] == '\0') return 1;
    char* end = nullptr;
    const long count = std::strtol(value, &end, 10);
    if (*end == '\0' && count >= 1 && count <= 64) return static_cast<int>(count);
    std::fprintf(stderr, "CUDA_ON_CPU_DEVICES is '%s': expected a number from 1 to 64.\n", value);
    std::exit(2);
}

}  // namespace cuda_on_cpu

using namespace cuda_on_cpu;

cudaError_t cudaGetLastError() {
    Device& d = device();
    const std::lock_guard lock(d.mutex);
    const cudaError_t error = d.last;
    d.last = cudaSuccess;
    return error;
}
cudaError_t cudaPeekAtLastError() {
    const std::lock_guard lock(device().mutex);
    return device().last;
}
