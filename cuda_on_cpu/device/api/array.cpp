// SPDX-License-Identifier: MIT
#include "device/api/array.hpp"

#include <set>

#include "device/base/device.hpp"
#include "device/memory/allocations.hpp"
#include "device/memory/copy.hpp"
#include "runtime_api.hpp"

namespace cuda_on_cpu {
namespace {

std::set<cudaArray_const_t>& arrays() {
    static auto& all = *new std::set<cudaArray_const_t>;
    return all;
}

cudaError_t create(cudaArray_t* array, const cudaChannelFormatDesc* channels, cudaExtent extent,
                   unsigned flags) {
    if (array == nullptr || channels == nullptr || extent.width == 0) return cudaErrorInvalidValue;
    if (channels->z > 0 && channels->w == 0) return cudaErrorInvalidValue;  // 1, 2 or 4
    auto* const made = new cudaArray{nullptr, *channels, extent, flags};
    if ((flags & cudaArrayCubemap) != 0 && extent.width != extent.height)
        return cudaErrorInvalidValue;
    const cudaError_t error = allocate(reinterpret_cast<void**>(&made->data),
                                       made->slice_bytes() * made->slices(), cudaMemoryTypeDevice);
    if (error == cudaSuccess) arrays().insert(*array = made);
    return error;
}

// One side of a copy: where its first byte is, and how far apart rows and slices are.
struct Side {
    char* begin;
    std::size_t pitch, slice;
};

Side side_of(const cudaArray& array, std::size_t x_bytes, std::size_t y, std::size_t z) {
    return {array.data + x_bytes + y * array.pitch() + z * array.slice_bytes(), array.pitch(),
            array.slice_bytes()};
}
Side side_of(const cudaPitchedPtr& p, const cudaPos& at) {
    const std::size_t slice = p.pitch * p.ysize;
    return {static_cast<char*>(p.ptr) + at.x + at.y * p.pitch + at.z * slice, p.pitch, slice};
}
bool contains(const cudaArray& array, std::size_t x_bytes, std::size_t y, std::size_t z,
              std::size_t width, std::size_t height, std::size_t depth) {
    return x_bytes + width <= array.pitch() && y + height <= array.rows() &&
           z + depth <= array.slices();
}

cudaError_t copy_slices(const Side& to, const Side& from, std::size_t width, std::size_t height,
                        std::size_t depth, cudaMemcpyKind kind, bool wait, cudaStream_t stream) {
    // Slices without a gap between them are one picture with more rows.
    if (to.slice == to.pitch * height && from.slice == from.pitch * height) {
        height *= depth;
        depth = height == 0 ? 0 : 1;
    }
    for (std::size_t z = 0; z < depth; ++z) {
        const cudaError_t error = copy(to.begin + z * to.slice, from.begin + z * from.slice,
                                       {width, height, to.pitch, from.pitch}, kind, wait, stream);
        if (error != cudaSuccess) return error;
    }
    return cudaSuccess;
}

cudaError_t copy_3d(const cudaMemcpy3DParms* p, bool wait, cudaStream_t stream) {
    if (p == nullptr) return cudaErrorInvalidValue;
    std::size_t element = 1;
    for (const cudaArray_t array : {p->srcArray, p->dstArray}) {
        if (array == nullptr) continue;
        if (!is_array(array)) return cudaErrorInvalidResourceHandle;
        element = array->element_bytes();
    }
    const std::size_t width = p->extent.width * element;
    const auto side = [&](cudaArray_t array, const cudaPitchedPtr& pointer, const cudaPos& at) {
        return array == nullptr ? side_of(pointer, at)
                                : side_of(*array, at.x * element, at.y, at.z);
    };
    const auto fits = [&](cudaArray_t array, const cudaPos& at) {
        return array == nullptr || contains(*array, at.x * element, at.y, at.z, width,
                                            p->extent.height, p->extent.depth);
    };
    if (!fits(p->srcArray, p->srcPos) || !fits(p->dstArray, p->dstPos))
        return cudaErrorInvalidValue;
    return copy_slices(side(p->dstArray, p->dstPtr, p->dstPos),
                       side(p->srcArray, p->srcPtr, p->srcPos), width, p->extent.height,
                       p->extent.depth, p->kind, wait, stream);
}

// `array` is one side of the copy; the other is rows in ordinary memory.
cudaError_t copy_2d(cudaArray_const_t array, std::size_t x, std::size_t y, const void* memory,
                    std::size_t pitch, std::size_t width, std::size_t height, bool to_array,
                    cudaMemcpyKind kind, bool wait, cudaStream_t stream) {
    if (!is_array(array)) return cudaErrorInvalidResourceHandle;
    if (!contains(*array, x, y, 0, width, height, 1)) return cudaErrorInvalidValue;
    const Side inside = side_of(*array, x, y, 0);
    const Side outside{static_cast<char*>(const_cast<void*>(memory)), pitch, 0};
    return copy_slices(to_array ? inside : outside, to_array ? outside : inside, width, height, 1,
                       kind, wait, stream);
}

// Copies consecutive bytes: whole rows or a part of one row.
cudaError_t copy_rows_of(cudaArray_const_t array, std::size_t x, std::size_t y, const void* memory,
                         std::size_t bytes, bool to_array, cudaMemcpyKind kind) {
    if (!is_array(array)) return cudaErrorInvalidResourceHandle;
    const std::size_t pitch = array->pitch();
    if (x == 0 && bytes % pitch == 0)
        return copy_2d(array, 0, y, memory, pitch, pitch, bytes / pitch, to_array, kind, true,
                       nullptr);
    return copy_2d(array, x, y, memory, bytes, bytes, 1, to_array, kind, true, nullptr);
}

}  // namespace

bool is_array(cudaArray_const_t array) { return arrays().count(array) == 1; }

}  // namespace cuda_on_cpu

using namespace cuda_on_cpu;

cudaError_t cudaMallocArray(cudaArray_t* array, const cudaChannelFormatDesc* channels,
                            std::size_t width, std::size_t height, unsigned flags) {
    return api([&] { return create(array, channels, {width, height, 0}, flags); });
}
cudaError_t cudaMalloc3DArray(cudaArray_t* array, const cudaChannelFormatDesc* channels,
                              cudaExtent extent, unsigned flags) {
    return api([&] { return create(array, channels, extent, flags); });
}
cudaError_t cudaFreeArray(cudaArray_t array) {
    return api([&] {
        if (array == nullptr) return cudaSuccess;
        if (arrays().erase(array) == 0) return cudaErrorInvalidResourceHandle;
        const cudaError_t error = deallocate(array->data, false);
        delete array;
        return error;
    });
}
cudaError_t cudaArrayGetInfo(cudaChannelFormatDesc* channels, cudaExtent* extent, unsigned* flags,
                             cudaArray_t array) {
    return api([&] {
        if (!is_array(array)) return cudaErrorInvalidResourceHandle;
        if (channels != nullptr) *channels = array->channels;
        if (extent != nullptr) *extent = array->extent;
        if (flags != nullptr) *flags = array->flags;
        return cudaSuccess;
    });
}
cudaError_t cudaMalloc3D(cudaPitchedPtr* pointer, cudaExtent extent) {
    if (pointer == nullptr) return cudaErrorInvalidValue;
    *pointer = {nullptr, 0, extent.width, extent.height};
    return cudaMallocPitch(&pointer->ptr, &pointer->pitch, extent.width,
                           extent.height * extent.depth);
}
cudaError_t cudaMemset3D(cudaPitchedPtr to, int byte, cudaExtent extent) {
    for (std::size_t z = 0; z < extent.depth; ++z) {
        char* const slice = static_cast<char*>(to.ptr) + z * to.pitch * to.ysize;
        const cudaError_t error = cudaMemset2D(slice, to.pitch, byte, extent.width, extent.height);
        if (error != cudaSuccess) return error;
    }
    return cudaSuccess;
}
cudaError_t cudaMemcpy3D(const cudaMemcpy3DParms* parameters) {
    return api([&] { return copy_3d(parameters, true, nullptr); });
}
cudaError_t cudaMemcpy3DAsync(const cudaMemcpy3DParms* parameters, cudaStream_t stream) {
    return api([&] { return copy_3d(parameters, false, stream); });
}
cudaError_t cudaMemcpy2DToArray(cudaArray_t to, std::size_t x, std::size_t y, const void* from,
                                std::size_t pitch, std::size_t width, std::size_t height,
                                cudaMemcpyKind kind) {
    return api(
        [&] { return copy_2d(to, x, y, from, pitch, width, height, true, kind, true, nullptr); });
}
cudaError_t cudaMemcpy2DToArrayAsync(cudaArray_t to, std::size_t x, std::size_t y, const void* from,
                                     std::size_t pitch, std::size_t width, std::size_t height,
                                     cudaMemcpyKind kind, cudaStream_t stream) {
    return api(
        [&] { return copy_2d(to, x, y, from, pitch, width, height, true, kind, false, stream); });
}
cudaError_t cudaMemcpy2DFromArray(void* to, std::size_t pitch, cudaArray_const_t from,
                                  std::size_t x, std::size_t y, std::size_t width,
                                  std::size_t height, cudaMemcpyKind kind) {
    return api(
        [&] { return copy_2d(from, x, y, to, pitch, width, height, false, kind, true, nullptr); });
}
cudaError_t cudaMemcpyToArray(cudaArray_t to, std::size_t x, std::size_t y, const void* from,
                              std::size_t bytes, cudaMemcpyKind kind) {
    return api([&] { return copy_rows_of(to, x, y, from, bytes, true, kind); });
}
cudaError_t cudaMemcpyFromArray(void* to, cudaArray_const_t from, std::size_t x, std::size_t y,
                                std::size_t bytes, cudaMemcpyKind kind) {
    return api([&] { return copy_rows_of(from, x, y, to, bytes, false, kind); });
}
