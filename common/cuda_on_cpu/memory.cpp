// Copyright (c) 2026 The Convolab authors
// SPDX-License-Identifier: MIT
//
#include "memory.hpp"

#include <unistd.h>

#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <map>

#include "device.hpp"
#include "runtime_api.hpp"
#include "sanitizers.hpp"
#include "stream.hpp"

namespace cuda_on_cpu {
namespace {

constexpr std::size_t alignment = 256;  // what cudaMalloc promises

std::map<std::uintptr_t, Allocation>& allocations() {
    static auto& map = *new std::map<std::uintptr_t, Allocation>;
    return map;
}
std::size_t used_bytes = 0;  // of device and managed memory
int accesses = 0;

std::uintptr_t number(const void* address) { return reinterpret_cast<std::uintptr_t>(address); }

void hide(bool hidden) {
    if (!has_asan()) return;
    for (const auto& [begin, a] : allocations())
        if (a.type == cudaMemoryTypeDevice && !a.registered)
            hidden ? poison(a.begin, a.bytes) : unpoison(a.begin, a.bytes);
}

cudaError_t allocate(void** pointer, std::size_t bytes, cudaMemoryType type) {
    if (pointer == nullptr) return cudaErrorInvalidValue;
    *pointer = nullptr;
    if (bytes == 0) return cudaSuccess;
    const bool on_device = type != cudaMemoryTypeHost;
    if (on_device && bytes > total_memory_bytes() - used_bytes) return cudaErrorMemoryAllocation;
    void* memory = nullptr;
    if (bytes > SIZE_MAX / 2 || posix_memalign(&memory, alignment, bytes) != 0)
        return cudaErrorMemoryAllocation;
    std::memset(memory, 0xff, bytes);  // a kernel cannot rely on zeros
    VALGRIND_MAKE_MEM_UNDEFINED(memory, bytes);
    allocations()[number(memory)] = {static_cast<char*>(memory), bytes, type, false,
                                     device().current};
    if (on_device) used_bytes += bytes;
    if (type == cudaMemoryTypeDevice && accesses == 0) poison(memory, bytes);
    *pointer = memory;
    return cudaSuccess;
}

void release(const Allocation& a) {
    unpoison(a.begin, a.bytes);
    if (a.type != cudaMemoryTypeHost) used_bytes -= a.bytes;
    std::free(a.begin);
}

cudaError_t deallocate(void* pointer, bool host) {
    if (pointer == nullptr) return cudaSuccess;
    const auto found = allocations().find(number(pointer));
    if (found == allocations().end() || found->second.registered ||
        (found->second.type == cudaMemoryTypeHost) != host)
        return cudaErrorInvalidValue;
    const cudaError_t error = run_all_streams();  // freeing waits for the device
    release(found->second);
    allocations().erase(found);
    return error;
}

}  // namespace

Allocation find_allocation(const void* address) {
    auto next = allocations().upper_bound(number(address));
    if (address != nullptr && next != allocations().begin()) {
        const Allocation& a = (--next)->second;
        if (number(address) - number(a.begin) < a.bytes) return a;
    }
    return {nullptr, 0, cudaMemoryTypeUnregistered, false};
}

std::size_t bytes_left(const Allocation& a, const void* address) {
    return a.bytes - (number(address) - number(a.begin));
}

void add_symbol(const void* address, std::size_t bytes) {
    char* const begin = static_cast<char*>(const_cast<void*>(address));
    allocations()[number(address)] = {begin, bytes, cudaMemoryTypeDevice, true};
}

std::size_t total_memory_bytes() {
    if (const char* mib = std::getenv("CUDA_ON_CPU_MEMORY_MIB"))
        return std::strtoull(mib, nullptr, 10) << 20;
    return static_cast<std::size_t>(sysconf(_SC_PHYS_PAGES)) *
           static_cast<std::size_t>(sysconf(_SC_PAGESIZE)) / 2;
}

void free_all_memory() {
    for (const auto& [begin, a] : allocations())
        if (!a.registered) release(a);
    allocations().clear();
}

DeviceAccess::DeviceAccess() {
    if (accesses++ == 0) hide(false);
}
DeviceAccess::~DeviceAccess() {
    if (--accesses == 0) hide(true);
}

}  // namespace cuda_on_cpu

using namespace cuda_on_cpu;

cudaError_t cudaMalloc(void** pointer, std::size_t bytes) {
    return api([&] { return allocate(pointer, bytes, cudaMemoryTypeDevice); });
}
cudaError_t cudaMallocPitch(void** pointer, std::size_t* pitch, std::size_t width,
                            std::size_t height) {
    return api([&] {
        if (pitch == nullptr) return cudaErrorInvalidValue;
        *pitch = (width + 511) / 512 * 512;
        return allocate(pointer, *pitch * height, cudaMemoryTypeDevice);
    });
}
cudaError_t cudaMallocManaged(void** pointer, std::size_t bytes, unsigned) {
    return api([&] {
        return bytes == 0 ? cudaErrorInvalidValue : allocate(pointer, bytes, cudaMemoryTypeManaged);
    });
}
cudaError_t cudaMallocAsync(void** pointer, std::size_t bytes, cudaStream_t) {
    return cudaMalloc(pointer, bytes);
}
cudaError_t cudaFree(void* pointer) {
    return api([&] { return deallocate(pointer, false); });
}
cudaError_t cudaFreeAsync(void* pointer, cudaStream_t) { return cudaFree(pointer); }
cudaError_t cudaHostAlloc(void** pointer, std::size_t bytes, unsigned) {
    return api([&] { return allocate(pointer, bytes, cudaMemoryTypeHost); });
}
cudaError_t cudaMallocHost(void** pointer, std::size_t bytes, unsigned flags) {
    return cudaHostAlloc(pointer, bytes, flags);
}
cudaError_t cudaFreeHost(void* pointer) {
    return api([&] { return deallocate(pointer, true); });
}
cudaError_t cudaHostRegister(void* pointer, std::size_t bytes, unsigned) {
    return api([&] {
        if (pointer == nullptr || bytes == 0) return cudaErrorInvalidValue;
        const Allocation known = find_allocation(pointer);
        if (known.begin != nullptr) return cudaErrorHostMemoryAlreadyRegistered;
        allocations()[number(pointer)] = {static_cast<char*>(pointer), bytes, cudaMemoryTypeHost,
                                          true};
        return cudaSuccess;
    });
}
cudaError_t cudaHostUnregister(void* pointer) {
    return api([&] {
        const auto found = allocations().find(number(pointer));
        if (found == allocations().end() || !found->second.registered)
            return cudaErrorHostMemoryNotRegistered;
        const cudaError_t error = run_all_streams();
        allocations().erase(found);
        return error;
    });
}
cudaError_t cudaHostGetDevicePointer(void** pointer, void* host, unsigned) {
    return api([&] {
        if (pointer == nullptr || find_allocation(host).type != cudaMemoryTypeHost)
            return cudaErrorInvalidValue;
        *pointer = host;
        return cudaSuccess;
    });
}
cudaError_t cudaPointerGetAttributes(cudaPointerAttributes* attributes, const void* pointer) {
    return api([&] {
        if (attributes == nullptr) return cudaErrorInvalidValue;
        const cudaMemoryType type = find_allocation(pointer).type;
        void* const same = const_cast<void*>(pointer);
        const bool by_host = type == cudaMemoryTypeHost || type == cudaMemoryTypeManaged;
        *attributes = {type, find_allocation(pointer).device,
                       type == cudaMemoryTypeUnregistered ? nullptr : same,
                       by_host ? same : nullptr};
        return cudaSuccess;
    });
}
cudaError_t cudaMemGetInfo(std::size_t* free_bytes, std::size_t* total_bytes) {
    return api([&] {
        if (free_bytes == nullptr || total_bytes == nullptr) return cudaErrorInvalidValue;
        *total_bytes = total_memory_bytes();
        *free_bytes = *total_bytes > used_bytes ? *total_bytes - used_bytes : 0;
        return cudaSuccess;
    });
}
