// Copyright (c) 2026 The Convolab authors
// SPDX-License-Identifier: MIT
//
// The device: its lock, its errors, and the frame of every API call.
#pragma once

#include <array>
#include <bitset>
#include <mutex>

#include "errors.hpp"

namespace cuda_on_cpu {

constexpr int largest_threads_per_processor = 2048;
constexpr int largest_blocks_per_processor = 32;
constexpr int processors = 4;
constexpr int max_devices = 64;

struct Device {
    std::recursive_mutex mutex;  ///< one API call at a time
    bool has_failed = false;     ///< a call has returned an error
    /// Once a kernel has failed every call returns its error until cudaDeviceReset.
    cudaError_t broken = cudaSuccess;
    /// cudaDeviceEnablePeerAccess: whose memory each device uses beside its own.
    std::array<std::bitset<max_devices>, max_devices> peers;
};
Device& device();

/// What belongs to a thread of the host.
struct HostThread {
    int device = 0;                  ///< cudaSetDevice
    cudaError_t last = cudaSuccess;  ///< cudaGetLastError
};
/// The calling thread's. Its address is that of no other thread, even of one that has ended.
HostThread& host_thread();
inline int current_device() { return host_thread().device; }

/// Its own, or a peer's after cudaDeviceEnablePeerAccess.
bool uses_memory_of(int number, int owner);
/// False where CUDA_VISIBLE_DEVICES hides the device, as it hides a GPU.
bool device_is_visible();
/// CUDA_ON_CPU_DEVICES, 1 without it, 0 where CUDA_VISIBLE_DEVICES hides them. They share their
/// memory's size and the default stream; streams and allocations belong to one of them.
int device_count();

/// Runs the body of an API function under the lock and remembers its error.
template <class Body>
cudaError_t api(Body body) {
    Device& d = device();
    const std::lock_guard lock(d.mutex);
    cudaError_t error = d.broken;
    if (error == cudaSuccess) error = device_is_visible() ? body() : cudaErrorNoDevice;
    if (error != cudaSuccess && error != cudaErrorNotReady) {
        host_thread().last = error;
        d.has_failed = true;
    }
    return error;
}

}  // namespace cuda_on_cpu
