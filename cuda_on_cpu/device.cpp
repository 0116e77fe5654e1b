// Copyright (c) 2026 The Convolab authors
// SPDX-License-Identifier: MIT
//
#include "device.hpp"

#include <cstdlib>

#include "program_end.hpp"
#include "settings.hpp"

namespace cuda_on_cpu {

Device& device() {
    static Device& the_device = *new Device;  // outlives the program's own static objects
    return the_device;
}

bool uses_memory_of(int number, int owner) {
    return number == owner ||
           device().peers[static_cast<std::size_t>(number)][static_cast<std::size_t>(owner)];
}

bool device_is_visible() {
    const char* const visible = std::getenv("CUDA_VISIBLE_DEVICES");
    return visible == nullptr || (visible[0] != '\0' && visible[0] != '-');
}

int device_count() {
    if (!device_is_visible()) return 0;
    return static_cast<int>(setting("CUDA_ON_CPU_DEVICES", 1, 1, max_devices));
}

}  // namespace cuda_on_cpu

using namespace cuda_on_cpu;

cudaError_t cudaGetLastError() {
    Device& d = device();
    const std::lock_guard lock(d.mutex);
    const cudaError_t error = d.last;
    d.last = cudaSuccess;
    forget_unchecked();
    return error;
}
cudaError_t cudaPeekAtLastError() {
    const std::lock_guard lock(device().mutex);
    forget_unchecked();
    return device().last;
}
