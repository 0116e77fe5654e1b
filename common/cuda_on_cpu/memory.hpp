// Copyright (c) 2026 The Convolab authors
// SPDX-License-Identifier: MIT
//
// Device, pinned and managed memory: who owns which address.
#pragma once

#include <cstddef>

#include "runtime_types.hpp"

namespace cuda_on_cpu {

struct Allocation {
    char* begin;
    std::size_t bytes;
    cudaMemoryType type;  ///< Unregistered where nobody has allocated the address here
    bool registered;      ///< ordinary host memory that cudaHostRegister has pinned
    int device = 0;       ///< of device memory: the one that was current
};

/// The allocation that contains the address.
Allocation find_allocation(const void* address);
/// How many bytes follow the address in its allocation.
std::size_t bytes_left(const Allocation& allocation, const void* address);
/// __device__ and __constant__ variables whose address the program has asked for count as device
/// memory, without ASan's poison.
void add_symbol(const void* address, std::size_t bytes);

std::size_t total_memory_bytes();
void free_all_memory();

/// Device memory is poisoned for ASan, so that it finds the host reading it, except while this
/// lives.
class DeviceAccess {
  public:
    DeviceAccess();
    ~DeviceAccess();
    DeviceAccess(const DeviceAccess&) = delete;
    DeviceAccess& operator=(const DeviceAccess&) = delete;
};

}  // namespace cuda_on_cpu
