// SPDX-License-Identifier: MIT
// CUDA's functions that allocate, free, copy and set memory.
#include "device/api/array.hpp"
#include "device/base/device.hpp"
#include "device/base/observer.hpp"
#include "device/base/report.hpp"
#include "device/base/source_line.hpp"
#include "device/memory/allocations.hpp"
#include "device/memory/copy.hpp"
#include "device/memory/guarded_bytes.hpp"
#include "device/memory/stream.hpp"
#include "runtime_api.hpp"

using namespace cuda_on_cpu;

cudaError_t cudaMalloc(void** pointer, std::size_t bytes) {
    return api([&] { return allocate(pointer, bytes, cudaMemoryTypeDevice); });
}
cudaError_t cudaMallocPitch(void** pointer, std::size_t* pitch, std::size_t width,
                            std::size_t height) {
    return api([&] {
        if (pitch == nullptr) return cudaErrorInvalidValue;
        *pitch = (width + 511) / 512 * 512;
        const cudaError_t error = allocate(pointer, *pitch * height, cudaMemoryTypeDevice);
        GuardedBytes* const memory =
            pointer == nullptr ? nullptr : find_allocation(*pointer).memory;
        if (error == cudaSuccess && memory != nullptr) {
            memory->row_bytes = width;
            memory->pitch = *pitch;
        }
        return error;
    });
}
cudaError_t cudaMallocManaged(void** pointer, std::size_t bytes, unsigned) {
    return api([&] {
        return bytes == 0 ? cudaErrorInvalidValue : allocate(pointer, bytes, cudaMemoryTypeManaged);
    });
}
// The memory exists at once, but another stream may use it only after this stream has reached this
// call.
cudaError_t cudaMallocAsync(void** pointer, std::size_t bytes, cudaStream_t stream) {
    return api([&] {
        if (find_stream(stream) == nullptr) return cudaErrorInvalidResourceHandle;
        const cudaError_t error = allocate(pointer, bytes, cudaMemoryTypeDevice);
        if (error != cudaSuccess || *pointer == nullptr || observer == nullptr) return error;
        return enqueue(stream, [a = find_allocation(*pointer)] {
            observer->allocated_in_stream(a);
            return cudaSuccess;
        });
    });
}
cudaError_t cudaMemPoolSetAttribute(cudaMemPool_t, cudaMemPoolAttr, void*) {
    return api([] { return cudaSuccess; });
}
cudaError_t cudaMallocFromPoolAsync(void** pointer, std::size_t bytes, cudaMemPool_t,
                                    cudaStream_t stream) {
    return cudaMallocAsync(pointer, bytes, stream);
}
cudaError_t cudaFree(void* pointer) {
    return api([&] { return deallocate(pointer, false); });
}
cudaError_t cudaFreeAsync(void* pointer, cudaStream_t stream) {
    return api([&] { return deallocate_in(stream, pointer); });
}
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
    return api([&] { return register_host(pointer, bytes); });
}
cudaError_t cudaHostUnregister(void* pointer) {
    return api([&] { return unregister_host(pointer); });
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
namespace {
cudaError_t hint(const void* pointer) {
    return api([&] {
        return find_allocation(pointer).type == cudaMemoryTypeManaged ? cudaSuccess
                                                                      : cudaErrorInvalidValue;
    });
}
}  // namespace

cudaError_t cudaMemAdvise(const void* pointer, std::size_t, cudaMemoryAdvise, int) {
    return hint(pointer);
}
cudaError_t cudaMemAdvise(const void* pointer, std::size_t, cudaMemoryAdvise, cudaMemLocation) {
    return hint(pointer);
}
cudaError_t cudaMemPrefetchAsync(const void* pointer, std::size_t, int, cudaStream_t) {
    return hint(pointer);
}
cudaError_t cudaMemPrefetchAsync(const void* pointer, std::size_t, cudaMemLocation, unsigned,
                                 cudaStream_t) {
    return hint(pointer);
}
cudaError_t cudaStreamAttachMemAsync(cudaStream_t, void* pointer, std::size_t, unsigned) {
    return hint(pointer);
}
cudaError_t cudaMemGetInfo(std::size_t* free_bytes, std::size_t* total_bytes) {
    return api([&] {
        if (free_bytes == nullptr || total_bytes == nullptr) return cudaErrorInvalidValue;
        *total_bytes = total_memory_bytes();
        const std::size_t used = used_memory_bytes();
        *free_bytes = *total_bytes > used ? *total_bytes - used : 0;
        return cudaSuccess;
    });
}

namespace {
bool is_memory_of(const void* pointer, int number) {
    const Allocation a = find_allocation(pointer);
    return a.type == cudaMemoryTypeDevice && a.device == number;
}

// The handle of an array is no pointer to its elements.
cudaError_t copy_pointers(void* to, const void* from, const Rows& rows, cudaMemcpyKind kind,
                          bool wait, cudaStream_t stream) {
    for (const void* const pointer : {static_cast<const void*>(to), from}) {
        if (!is_array(static_cast<cudaArray_const_t>(pointer))) continue;
        const bool is_first = pointer == to;
        Finding finding(Kind::array_as_pointer, "a copy" + calling_place() + ": the " +
                                                    (is_first ? "first" : "second") +
                                                    " pointer is a cudaArray, which is no pointer "
                                                    "to its elements.");
        finding.remedy = is_first ? "cudaMemcpy2DToArray(array, 0, 0, from, its pitch, width in "
                                    "bytes, height, direction)."
                                  : "cudaMemcpy2DFromArray(to, its pitch, array, 0, 0, width in "
                                    "bytes, height, direction).";
        report(finding);
        return cudaErrorInvalidValue;
    }
    return copy(to, from, rows, kind, wait, stream);
}
}  // namespace

cudaError_t cudaMemcpy(void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind) {
    return api([&] {
        return copy_pointers(to, from, {bytes, 1, bytes, bytes}, kind, true, nullptr);
    });
}
cudaError_t cudaMemcpyAsync(void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind,
                            cudaStream_t stream) {
    return api([&] {
        return copy_pointers(to, from, {bytes, 1, bytes, bytes}, kind, false, stream);
    });
}
cudaError_t cudaMemcpyPeerAsync(void* to, int to_device, const void* from, int from_device,
                                std::size_t bytes, cudaStream_t stream) {
    return api([&] {
        if (!is_memory_of(to, to_device) || !is_memory_of(from, from_device))
            return cudaErrorInvalidValue;
        return copy(to, from, {bytes, 1, bytes, bytes}, cudaMemcpyDeviceToDevice, false, stream);
    });
}
cudaError_t cudaMemcpyPeer(void* to, int to_device, const void* from, int from_device,
                           std::size_t bytes) {
    const cudaError_t error = cudaMemcpyPeerAsync(to, to_device, from, from_device, bytes);
    return error == cudaSuccess ? cudaStreamSynchronize(nullptr) : error;
}
cudaError_t cudaMemcpy2D(void* to, std::size_t to_pitch, const void* from, std::size_t from_pitch,
                         std::size_t width, std::size_t height, cudaMemcpyKind kind) {
    return api([&] {
        return copy_pointers(to, from, {width, height, to_pitch, from_pitch}, kind, true, nullptr);
    });
}
cudaError_t cudaMemcpy2DAsync(void* to, std::size_t to_pitch, const void* from,
                              std::size_t from_pitch, std::size_t width, std::size_t height,
                              cudaMemcpyKind kind, cudaStream_t stream) {
    return api([&] {
        return copy_pointers(to, from, {width, height, to_pitch, from_pitch}, kind, false, stream);
    });
}
cudaError_t cudaMemset(void* to, int byte, std::size_t bytes) {
    return api([&] { return set_bytes(to, bytes, byte, bytes, 1, nullptr, true); });
}
cudaError_t cudaMemsetAsync(void* to, int byte, std::size_t bytes, cudaStream_t stream) {
    return api([&] { return set_bytes(to, bytes, byte, bytes, 1, stream, false); });
}
cudaError_t cudaMemset2D(void* to, std::size_t pitch, int byte, std::size_t width,
                         std::size_t height) {
    return api([&] { return set_bytes(to, pitch, byte, width, height, nullptr, true); });
}
cudaError_t cudaMemset2DAsync(void* to, std::size_t pitch, int byte, std::size_t width,
                              std::size_t height, cudaStream_t stream) {
    return api([&] { return set_bytes(to, pitch, byte, width, height, stream, false); });
}
