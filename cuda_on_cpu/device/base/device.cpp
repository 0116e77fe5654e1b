// SPDX-License-Identifier: MIT
#include "device/base/device.hpp"

#include <pthread.h>

#include <cstdlib>
#include <deque>
#include <new>
#include <utility>

#include "device/base/observer.hpp"
#include "device/base/settings.hpp"

namespace cuda_on_cpu {

Device& device() {
    static Device& the_device = *new Device;  // outlives the program's own static objects
    return the_device;
}

// A thread_local variable of a later thread may have the same address.
HostThread& host_thread() {
    static const pthread_key_t key = [] {
        pthread_key_t made{};
        if (pthread_key_create(&made, nullptr) != 0) throw std::bad_alloc();
        return made;
    }();
    auto* own = static_cast<HostThread*>(pthread_getspecific(key));
    if (own == nullptr) {
        const std::lock_guard lock(device().mutex);
        static auto& all = *new std::deque<HostThread>;
        own = &all.emplace_back();
        pthread_setspecific(key, own);
    }
    return *own;
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
    const std::lock_guard lock(device().mutex);
    tell(&Observer::asked_for_error);
    return std::exchange(host_thread().last, cudaSuccess);
}
cudaError_t cudaPeekAtLastError() {
    const std::lock_guard lock(device().mutex);
    tell(&Observer::asked_for_error);
    return host_thread().last;
}

const char* cudaGetErrorName(cudaError_t error) {
    switch (static_cast<int>(error)) {
#define CUDA_ON_CPU_CASE(name, number, text) \
    case name:                               \
        return #name;
        CUDA_ON_CPU_ERRORS(CUDA_ON_CPU_CASE)
#undef CUDA_ON_CPU_CASE
    }
    return "unrecognized error code";
}

const char* cudaGetErrorString(cudaError_t error) {
    switch (static_cast<int>(error)) {
#define CUDA_ON_CPU_CASE(name, number, text) \
    case name:                               \
        return text;
        CUDA_ON_CPU_ERRORS(CUDA_ON_CPU_CASE)
#undef CUDA_ON_CPU_CASE
    }
    return "unrecognized error code";
}
