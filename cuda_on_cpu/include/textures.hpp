// SPDX-License-Identifier: MIT
// Texture and surface objects. A texture function finds its texels as the GPU does: point or linear
// filter, whose weights have 8 bits, and an address mode for what lies outside.
#pragma once

#include "array_types.hpp"

using cudaTextureObject_t = unsigned long long;
using cudaSurfaceObject_t = unsigned long long;

enum cudaTextureAddressMode : int {
    cudaAddressModeWrap = 0,
    cudaAddressModeClamp = 1,
    cudaAddressModeMirror = 2,
    cudaAddressModeBorder = 3,
};
enum cudaTextureFilterMode : int { cudaFilterModePoint = 0, cudaFilterModeLinear = 1 };
enum cudaTextureReadMode : int { cudaReadModeElementType = 0, cudaReadModeNormalizedFloat = 1 };
enum cudaSurfaceBoundaryMode : int {
    cudaBoundaryModeZero = 0,
    cudaBoundaryModeClamp = 1,
    cudaBoundaryModeTrap = 2,
};
struct cudaTextureDesc {
    cudaTextureAddressMode addressMode[3];
    cudaTextureFilterMode filterMode;
    cudaTextureReadMode readMode;
    int sRGB;
    float borderColor[4];
    int normalizedCoords;
};
enum cudaResourceType : int {
    cudaResourceTypeArray = 0,
    cudaResourceTypeLinear = 2,
    cudaResourceTypePitch2D = 3,
};
struct cudaResourceDesc {
    cudaResourceType resType;
    union {
        struct {
            cudaArray_t array;
        } array;
        struct {
            void* devPtr;
            cudaChannelFormatDesc desc;
            std::size_t sizeInBytes;
        } linear;
        struct {
            void* devPtr;
            cudaChannelFormatDesc desc;
            std::size_t width, height, pitchInBytes;
        } pitch2D;
    } res;
};

extern "C" {

/// There are no views of resources: the last argument must be nullptr.
cudaError_t cudaCreateTextureObject(cudaTextureObject_t* texture, const cudaResourceDesc* resource,
                                    const cudaTextureDesc* description, const void* view);
cudaError_t cudaDestroyTextureObject(cudaTextureObject_t texture);
cudaError_t cudaCreateSurfaceObject(cudaSurfaceObject_t* surface, const cudaResourceDesc* resource);
cudaError_t cudaDestroySurfaceObject(cudaSurfaceObject_t surface);

}  // extern "C"

namespace cuda_on_cpu {

/// A texel's channels: exact for each type that a channel can have.
struct Texel {
    double c[4];
    bool is_float;

    template <class T>
    T as(const char* file, int line) const {
        T value{};
        if constexpr (requires { value.x; }) {
            value.x = channel<decltype(value.x)>(0, file, line);
            if constexpr (requires { value.y; })
                value.y = channel<decltype(value.y)>(1, file, line);
            if constexpr (requires { value.z; })
                value.z = channel<decltype(value.z)>(2, file, line);
            if constexpr (requires { value.w; })
                value.w = channel<decltype(value.w)>(3, file, line);
        } else {
            value = channel<T>(0, file, line);
        }
        return value;
    }

  private:
    template <class T>
    T channel(int i, const char* file, int line) const {
        if constexpr (std::is_integral_v<T>)  // of a larger one the low bits
            return static_cast<T>(static_cast<std::int64_t>(is_float ? bits(i, file, line) : c[i]));
        if constexpr (std::is_same_v<T, float>)
            if (!is_float) return static_cast<T>(bits(i, file, line));
        return static_cast<T>(c[i]);
    }
    /// A GPU does not convert between float and integers: it gives the bits. Tells this.
    double bits(int i, const char* file, int line) const;
};
Texel fetch(cudaTextureObject_t texture, int index);
/// `dimensions` coordinates are used; `layer` is one of a layered array or a face of a cube.
Texel sample(cudaTextureObject_t texture, int dimensions, float x, float y, float z, int layer);
Texel sample_cube(cudaTextureObject_t texture, float x, float y, float z);
/// nullptr: outside, where reads give 0 and writes are lost; cudaBoundaryModeTrap ends the kernel.
void* surface_address(cudaSurfaceObject_t surface, int x, int y, int z, std::size_t bytes,
                      cudaSurfaceBoundaryMode mode);

template <class T>
T read_surface(const void* address) {
    return address == nullptr ? T{} : *static_cast<const T*>(address);
}

}  // namespace cuda_on_cpu

#define CUDA_ON_CPU_HERE const char *file = __builtin_FILE(), int line = __builtin_LINE()
// clang-format off
template <class T> T tex1Dfetch(cudaTextureObject_t t, int x, CUDA_ON_CPU_HERE) { return cuda_on_cpu::fetch(t, x).as<T>(file, line); }
template <class T> T tex1D(cudaTextureObject_t t, float x, CUDA_ON_CPU_HERE) { return cuda_on_cpu::sample(t, 1, x, 0, 0, 0).as<T>(file, line); }
template <class T> T tex2D(cudaTextureObject_t t, float x, float y, CUDA_ON_CPU_HERE) { return cuda_on_cpu::sample(t, 2, x, y, 0, 0).as<T>(file, line); }
template <class T> T tex3D(cudaTextureObject_t t, float x, float y, float z, CUDA_ON_CPU_HERE) { return cuda_on_cpu::sample(t, 3, x, y, z, 0).as<T>(file, line); }
template <class T> T tex1DLayered(cudaTextureObject_t t, float x, int layer, CUDA_ON_CPU_HERE) { return cuda_on_cpu::sample(t, 1, x, 0, 0, layer).as<T>(file, line); }
template <class T> T tex2DLayered(cudaTextureObject_t t, float x, float y, int layer, CUDA_ON_CPU_HERE) { return cuda_on_cpu::sample(t, 2, x, y, 0, layer).as<T>(file, line); }
template <class T> T texCubemap(cudaTextureObject_t t, float x, float y, float z, CUDA_ON_CPU_HERE) { return cuda_on_cpu::sample_cube(t, x, y, z).as<T>(file, line); }
// clang-format on
#undef CUDA_ON_CPU_HERE

// x in bytes; of a layered array or a cube the layer or face is a slice
#define CUDA_ON_CPU_SURFACE(kind, y, z, ...)                                            \
    template <class T>                                                                  \
    T surf##kind##read(cudaSurfaceObject_t s, __VA_ARGS__,                              \
                       cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) {           \
        return cuda_on_cpu::read_surface<T>(                                            \
            cuda_on_cpu::surface_address(s, x, y, z, sizeof(T), mode));                 \
    }                                                                                   \
    template <class T>                                                                  \
    void surf##kind##read(T* value, cudaSurfaceObject_t s, __VA_ARGS__,                 \
                          cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) {        \
        *value = cuda_on_cpu::read_surface<T>(                                          \
            cuda_on_cpu::surface_address(s, x, y, z, sizeof(T), mode));                 \
    }                                                                                   \
    template <class T>                                                                  \
    void surf##kind##write(T value, cudaSurfaceObject_t s, __VA_ARGS__,                 \
                           cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) {       \
        if (void* const to = cuda_on_cpu::surface_address(s, x, y, z, sizeof(T), mode)) \
            *static_cast<T*>(to) = value;                                               \
    }
CUDA_ON_CPU_SURFACE(1D, 0, 0, int x)
CUDA_ON_CPU_SURFACE(2D, y, 0, int x, int y)
CUDA_ON_CPU_SURFACE(3D, y, z, int x, int y, int z)
CUDA_ON_CPU_SURFACE(1DLayered, 0, layer, int x, int layer)
CUDA_ON_CPU_SURFACE(2DLayered, y, layer, int x, int y, int layer)
CUDA_ON_CPU_SURFACE(Cubemap, y, face, int x, int y, int face)
CUDA_ON_CPU_SURFACE(CubemapLayered, y, face, int x, int y, int face)
#undef CUDA_ON_CPU_SURFACE
