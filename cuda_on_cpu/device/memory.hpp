// Copyright (c) 2026 The Convolab authors
// SPDX-License-Identifier: MIT
//
// Device, pinned and managed memory: who owns which address.
#pragma once

#include <cstddef>
#include <string>

#include "runtime_types.hpp"

namespace cuda_on_cpu {

class GuardedBytes;

struct Allocation {
    char* begin;
    std::size_t bytes;
    cudaMemoryType type;             ///< Unregistered where the address is in no allocation
    bool registered;                 ///< ordinary host memory that cudaHostRegister has pinned
    int device = 0;                  ///< of device memory: the one that was current
    bool is_freed = false;           ///< cudaFreeAsync was called; it has not run
    GuardedBytes* memory = nullptr;  ///< nullptr for what is not ours: registered, a symbol
};

/// The address lies between allocations of `allocate`, or in one: quick, for `free`.
bool may_be_allocated(const void* address);
/// The allocation that contains the address.
Allocation find_allocation(const void* address);
/// How many bytes follow the address in its allocation.
std::size_t bytes_left(const Allocation& allocation, const void* address);
/// These bytes are of a writable variable with static storage.
bool is_static(const void* address, std::size_t bytes);
/// __device__ and __constant__ variables whose address the program has asked for count as device
/// memory that is always open.
void add_symbol(const void* address, std::size_t bytes);
/// From now on such variables hold the values of this device.
void use_symbols_of(int device);
/// They hold again what they did at first.
void forget_symbols();

/// cudaMalloc and its relatives. Memory of the device is closed except while a DeviceAccess opens
/// it.
cudaError_t allocate(void** pointer, std::size_t bytes, cudaMemoryType type);
/// Reports what is not an allocation of this kind, freed twice for instance, and breaks the device:
/// the result of a free is hardly ever looked at.
cudaError_t deallocate(void* pointer, bool host);
/// cudaFreeAsync: the stream frees it when it comes to that.
cudaError_t deallocate_in(cudaStream_t stream, void* pointer);
/// " that cudaFree freed at lab.cu:12", of an address in memory that was freed lately, or nothing.
std::string where_freed(const void* address);
cudaError_t register_host(void* pointer, std::size_t bytes);
cudaError_t unregister_host(void* pointer);

std::size_t total_memory_bytes();
std::size_t used_memory_bytes();
void free_all_memory();

/// "; cudaMalloc at lab.cu:12 was asked for 0 bytes", or nothing: why a pointer may be null.
std::string empty_allocation();

/// "device memory of 4000 bytes"
std::string describe(const Allocation& allocation);
/// "1 byte", "4000 bytes"
std::string count_text(std::size_t bytes);
/// The allocation in whose bytes or guards the address lies.
Allocation find_near(const void* address);
/// What was written just outside of an open allocation, "3 bytes past the end of NAME"; empty where
/// nothing was. Says it once.
std::string damage_of(const Allocation& allocation, const std::string& name);

}  // namespace cuda_on_cpu
