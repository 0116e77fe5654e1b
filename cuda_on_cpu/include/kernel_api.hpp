// SPDX-License-Identifier: MIT
// What takes a kernel or a __constant__ variable and is therefore a template; kernel_launch.hpp
// launches.
#pragma once

#include <cstddef>
#include <type_traits>

#include "runtime_types.hpp"

namespace cuda_on_cpu {

cudaError_t function_attributes(cudaFuncAttributes* attributes, const void* kernel);
cudaError_t set_function_attribute(const void* kernel, cudaFuncAttribute attribute, int value);
cudaError_t occupancy(int* blocks, const void* kernel, int threads, std::size_t shared_bytes);
cudaError_t best_block_size(int* min_grid, int* threads, const void* kernel,
                            std::size_t shared_bytes, int limit);
cudaError_t copy_symbol(const void* symbol, std::size_t symbol_bytes, std::size_t element,
                        const void* host_from, void* host_to, std::size_t bytes, std::size_t offset,
                        bool wait, cudaMemcpyKind kind, cudaStream_t stream);
/// Of an array of numbers or pointers; of a struct, which may be copied in parts, 1.
template <class T>
constexpr std::size_t element_bytes = std::is_class_v<std::remove_all_extents_t<T>>
                                          ? 1
                                          : sizeof(std::remove_all_extents_t<T>);
cudaError_t symbol_address(void** pointer, const void* symbol, std::size_t bytes);

}  // namespace cuda_on_cpu

template <class... P>
cudaError_t cudaFuncGetAttributes(cudaFuncAttributes* attributes, void (*kernel)(P...)) {
    return cuda_on_cpu::function_attributes(attributes, reinterpret_cast<const void*>(kernel));
}
template <class... P>
cudaError_t cudaFuncSetAttribute(void (*kernel)(P...), cudaFuncAttribute attribute, int value) {
    return cuda_on_cpu::set_function_attribute(reinterpret_cast<const void*>(kernel), attribute,
                                               value);
}
template <class... P>
cudaError_t cudaFuncSetCacheConfig(void (*)(P...), cudaFuncCache) {
    return cudaSuccess;  // a hint
}
template <class... P>
cudaError_t cudaFuncSetSharedMemConfig(void (*)(P...), cudaSharedMemConfig) {
    return cudaSuccess;
}
inline cudaError_t cudaFuncGetAttributes(cudaFuncAttributes* attributes, const void* kernel) {
    return cuda_on_cpu::function_attributes(attributes, kernel);
}
inline cudaError_t cudaFuncSetAttribute(const void* kernel, cudaFuncAttribute attribute,
                                        int value) {
    return cuda_on_cpu::set_function_attribute(kernel, attribute, value);
}

// From threads and shared memory alone: registers are unknown here.
template <class Kernel>
cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int* blocks, Kernel kernel, int threads,
                                                          std::size_t shared_bytes) {
    return cuda_on_cpu::occupancy(blocks, (const void*)kernel, threads, shared_bytes);
}
template <class Kernel>
cudaError_t cudaOccupancyMaxPotentialBlockSize(int* min_grid, int* threads, Kernel kernel,
                                               std::size_t shared_bytes = 0, int limit = 0) {
    return cuda_on_cpu::best_block_size(min_grid, threads, (const void*)kernel, shared_bytes,
                                        limit);
}
/// The largest block whose shared memory, bytes_of(threads), is allowed.
template <class Kernel, class Bytes>
cudaError_t cudaOccupancyMaxPotentialBlockSizeVariableSMem(int* min_grid, int* threads,
                                                           Kernel kernel, Bytes bytes_of,
                                                           int limit = 0) {
    cudaError_t error = cudaSuccess;
    for (int size = limit > 0 && limit < 1024 ? limit : 1024; size > 0; size -= 32) {
        error = cuda_on_cpu::best_block_size(min_grid, threads, (const void*)kernel, bytes_of(size),
                                             size);
        if (error != cudaSuccess || *min_grid > 0) break;
    }
    return error;
}

// A symbol is a __constant__ or __device__ variable. Its type gives the size, so that a copy past
// its end is cudaErrorInvalidValue; what is no variable with static storage is no symbol.
template <class T>
cudaError_t cudaMemcpyToSymbol(const T& symbol, const void* from, std::size_t bytes,
                               std::size_t offset = 0,
                               cudaMemcpyKind kind = cudaMemcpyHostToDevice) {
    return cuda_on_cpu::copy_symbol(&symbol, sizeof(T), cuda_on_cpu::element_bytes<T>, from,
                                    nullptr, bytes, offset, true, kind, nullptr);
}
template <class T>
cudaError_t cudaMemcpyToSymbolAsync(const T& symbol, const void* from, std::size_t bytes,
                                    std::size_t offset = 0,
                                    cudaMemcpyKind kind = cudaMemcpyHostToDevice,
                                    cudaStream_t stream = nullptr) {
    return cuda_on_cpu::copy_symbol(&symbol, sizeof(T), cuda_on_cpu::element_bytes<T>, from,
                                    nullptr, bytes, offset, false, kind, stream);
}
template <class T>
cudaError_t cudaMemcpyFromSymbol(void* to, const T& symbol, std::size_t bytes,
                                 std::size_t offset = 0,
                                 cudaMemcpyKind kind = cudaMemcpyDeviceToHost) {
    return cuda_on_cpu::copy_symbol(&symbol, sizeof(T), cuda_on_cpu::element_bytes<T>, nullptr, to,
                                    bytes, offset, true, kind, nullptr);
}
template <class T>
cudaError_t cudaMemcpyFromSymbolAsync(void* to, const T& symbol, std::size_t bytes,
                                      std::size_t offset = 0,
                                      cudaMemcpyKind kind = cudaMemcpyDeviceToHost,
                                      cudaStream_t stream = nullptr) {
    return cuda_on_cpu::copy_symbol(&symbol, sizeof(T), cuda_on_cpu::element_bytes<T>, nullptr, to,
                                    bytes, offset, false, kind, stream);
}
template <class T>
cudaError_t cudaGetSymbolAddress(void** pointer, const T& symbol) {
    return cuda_on_cpu::symbol_address(pointer, &symbol, sizeof(T));
}
template <class T>
cudaError_t cudaGetSymbolSize(std::size_t* bytes, const T&) {
    *bytes = sizeof(T);
    return cudaSuccess;
}
