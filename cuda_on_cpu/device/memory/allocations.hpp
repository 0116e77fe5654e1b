// SPDX-License-Identifier: MIT
// Knows for each address the allocation (device, pinned or managed memory) it belongs to.
#pragma once

#include <cstddef>
#include <string>

#include "finding/finding.hpp"
#include "runtime_types.hpp"

namespace cuda_on_cpu {

class GuardedBytes;

struct Allocation {
    char* begin;
    std::size_t bytes;
    cudaMemoryType type;             ///< Unregistered if the address is in no allocation
    bool registered;                 ///< ordinary host memory that cudaHostRegister has pinned
    int device = 0;                  ///< for device memory: the device that was current
    bool is_freed = false;           ///< cudaFreeAsync was called but has not run
    GuardedBytes* memory = nullptr;  ///< nullptr for registered memory and symbols
};

/// The allocation that contains the address.
Allocation find_allocation(const void* address);
/// How many bytes follow the address in its allocation.
std::size_t bytes_left(const Allocation& allocation, const void* address);
/// Whether these bytes belong to a writable variable with static storage.
bool is_static(const void* address, std::size_t bytes);
/// While a kernel may run: whether a kernel can come to it without an argument that points to it, by
/// a texture or by a pointer in a variable or in device memory, if that has at most 64 KiB.
bool is_reached_otherwise(const Allocation& allocation);
/// Counts a __device__ or __constant__ variable, whose address the program has asked for, as device
/// memory that is always open.
void add_symbol(const void* address, std::size_t bytes);
/// Makes such variables hold this device's values.
void use_symbols_of(int device);
/// Makes them hold their first values again.
void forget_symbols();

/// cudaMalloc and its relatives. Device memory is closed unless a DeviceAccess opens it.
cudaError_t allocate(void** pointer, std::size_t bytes, cudaMemoryType type);
/// Reports a pointer that is no allocation of this kind, such as one that was freed before, and
/// breaks the device, because few programs check the result of a free.
cudaError_t deallocate(void* pointer, bool host);
/// cudaFreeAsync: the stream frees the memory when it reaches this call.
cudaError_t deallocate_in(cudaStream_t stream, void* pointer);
/// " that cudaFree freed at lab.cu:12" for an address in memory that was freed lately, else " that
/// was freed".
Finding where_freed(const void* address);
cudaError_t register_host(void* pointer, std::size_t bytes);
cudaError_t unregister_host(void* pointer);

std::size_t total_memory_bytes();
std::size_t used_memory_bytes();
void free_all_memory();

/// These words, and if it is known "; the allocation at lab.cu:12 was asked for 0 bytes", which
/// explains a null pointer.
Finding origin_of_null(const std::string& words);
/// ": the size is negative. ..."
Finding negative_size();

/// "device memory of 4000 bytes"
std::string describe(const Allocation& allocation);
/// "1 byte", "4000 bytes"
std::string count_text(std::size_t bytes);
/// The allocation whose bytes or guards contain the address.
Allocation find_near(const void* address);
/// "is 8 bytes past the end of device memory of 256 bytes", if no memory is there, or a guard; else
/// empty.
Finding describe_past_end(const void* pointer);
/// The message if free or delete is given this memory; call it where free is called, because it
/// names that line.
Finding wrong_free(const Allocation& allocation);

}  // namespace cuda_on_cpu
