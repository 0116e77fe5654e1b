// SPDX-License-Identifier: MIT
// The device, its lock, its errors, and the code around every API call.
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
    std::recursive_mutex mutex;   ///< one API call at a time
    bool has_failed = false;      ///< a call has returned an error
    volatile unsigned calls = 0;  ///< that have begun
    volatile unsigned depth = 0;  ///< of the calls that run
    /// Once a kernel has failed, every call returns its error until cudaDeviceReset.
    cudaError_t broken = cudaSuccess;
    /// The devices whose memory each device may also use (cudaDeviceEnablePeerAccess).
    std::array<std::bitset<max_devices>, max_devices> peers;
};
Device& device();

/// The state of one host thread.
struct HostThread {
    int device = 0;                  ///< cudaSetDevice
    cudaError_t last = cudaSuccess;  ///< cudaGetLastError
};
/// The calling thread's state. Its address is unique, even after another thread has ended.
HostThread& host_thread();
inline int current_device() { return host_thread().device; }

/// Whether device `number` may use `owner`'s memory: it is its own, or a peer's.
bool uses_memory_of(int number, int owner);
/// False if CUDA_VISIBLE_DEVICES hides the device, as it hides a GPU.
bool device_is_visible();
/// CUDA_ON_CPU_DEVICES, 1 if it is not set, 0 if CUDA_VISIBLE_DEVICES hides the devices. The
/// devices share the size of their memory; each stream and allocation belongs to one of them.
int device_count();

/// Runs the body of an API function under the lock and remembers its error.
template <class Body>
cudaError_t api(Body body) {
    Device& d = device();
    const std::lock_guard lock(d.mutex);
    d.calls = d.calls + 1;
    d.depth = d.depth + 1;
    cudaError_t error = d.broken;
    if (error == cudaSuccess) error = device_is_visible() ? body() : cudaErrorNoDevice;
    d.depth = d.depth - 1;
    if (error != cudaSuccess && error != cudaErrorNotReady) {
        host_thread().last = error;
        d.has_failed = true;
    }
    return error;
}

}  // namespace cuda_on_cpu
