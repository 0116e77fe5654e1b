// SPDX-License-Identifier: MIT
// CUDA arrays, pitched memory with three dimensions, and the copies between them. An array's rows
// lie one after the other in device memory; on a GPU their order is secret.
#pragma once

#include <type_traits>

#include "runtime_types.hpp"

enum cudaChannelFormatKind : int {
    cudaChannelFormatKindSigned = 0,
    cudaChannelFormatKindUnsigned = 1,
    cudaChannelFormatKindFloat = 2,
    cudaChannelFormatKindNone = 3,
};
/// Bits of each channel, and what they are.
struct cudaChannelFormatDesc {
    int x, y, z, w;
    cudaChannelFormatKind f;
};
inline cudaChannelFormatDesc cudaCreateChannelDesc(int x, int y, int z, int w,
                                                   cudaChannelFormatKind f) {
    return {x, y, z, w, f};
}
template <class T>
cudaChannelFormatDesc cudaCreateChannelDesc() {
    const auto of = [](auto channel, int count) {
        using Channel = decltype(channel);
        const int bits = 8 * static_cast<int>(sizeof(Channel));
        return cudaChannelFormatDesc{bits, count > 1 ? bits : 0, count > 2 ? bits : 0,
                                     count > 3 ? bits : 0,
                                     !std::is_integral_v<Channel> ? cudaChannelFormatKindFloat
                                     : std::is_signed_v<Channel>  ? cudaChannelFormatKindSigned
                                                                  : cudaChannelFormatKindUnsigned};
    };
    if constexpr (requires(T v) { v.x; })
        return of(decltype(T::x){}, static_cast<int>(sizeof(T) / sizeof(T::x)));
    else
        return of(T{}, 1);
}

struct cudaExtent {
    std::size_t width, height, depth;
};
struct cudaPos {
    std::size_t x, y, z;
};
struct cudaPitchedPtr {
    void* ptr;
    std::size_t pitch, xsize, ysize;
};
inline cudaExtent make_cudaExtent(std::size_t w, std::size_t h, std::size_t d) { return {w, h, d}; }
inline cudaPos make_cudaPos(std::size_t x, std::size_t y, std::size_t z) { return {x, y, z}; }
inline cudaPitchedPtr make_cudaPitchedPtr(void* p, std::size_t pitch, std::size_t x,
                                          std::size_t y) {
    return {p, pitch, x, y};
}

using cudaArray_t = struct cudaArray*;
using cudaArray_const_t = const struct cudaArray*;
#define cudaArrayDefault 0U
#define cudaArrayLayered 1U
#define cudaArraySurfaceLoadStore 2U
#define cudaArrayCubemap 4U
/// Widths and x are elements if an array takes part, else bytes.
struct cudaMemcpy3DParms {
    cudaArray_t srcArray;
    cudaPos srcPos;
    cudaPitchedPtr srcPtr;
    cudaArray_t dstArray;
    cudaPos dstPos;
    cudaPitchedPtr dstPtr;
    cudaExtent extent;
    cudaMemcpyKind kind;
};

extern "C" {

cudaError_t cudaMallocArray(cudaArray_t* array, const cudaChannelFormatDesc* channels,
                            std::size_t width, std::size_t height = 0, unsigned flags = 0);
cudaError_t cudaMalloc3DArray(cudaArray_t* array, const cudaChannelFormatDesc* channels,
                              cudaExtent extent, unsigned flags = 0);
cudaError_t cudaFreeArray(cudaArray_t array);
cudaError_t cudaArrayGetInfo(cudaChannelFormatDesc* channels, cudaExtent* extent, unsigned* flags,
                             cudaArray_t array);
cudaError_t cudaMalloc3D(cudaPitchedPtr* pointer, cudaExtent extent);
cudaError_t cudaMemset3D(cudaPitchedPtr to, int byte, cudaExtent extent);
cudaError_t cudaMemcpy3D(const cudaMemcpy3DParms* parameters);
cudaError_t cudaMemcpy3DAsync(const cudaMemcpy3DParms* parameters, cudaStream_t stream = nullptr);
/// Offsets: x in bytes, y in rows.
cudaError_t cudaMemcpy2DToArray(cudaArray_t to, std::size_t x, std::size_t y, const void* from,
                                std::size_t pitch, std::size_t width, std::size_t height,
                                cudaMemcpyKind kind);
cudaError_t cudaMemcpy2DToArrayAsync(cudaArray_t to, std::size_t x, std::size_t y, const void* from,
                                     std::size_t pitch, std::size_t width, std::size_t height,
                                     cudaMemcpyKind kind, cudaStream_t stream = nullptr);
cudaError_t cudaMemcpy2DFromArray(void* to, std::size_t pitch, cudaArray_const_t from,
                                  std::size_t x, std::size_t y, std::size_t width,
                                  std::size_t height, cudaMemcpyKind kind);
/// Row after row.
cudaError_t cudaMemcpyToArray(cudaArray_t to, std::size_t x, std::size_t y, const void* from,
                              std::size_t bytes, cudaMemcpyKind kind);
cudaError_t cudaMemcpyFromArray(void* to, cudaArray_const_t from, std::size_t x, std::size_t y,
                                std::size_t bytes, cudaMemcpyKind kind);

}  // extern "C"
