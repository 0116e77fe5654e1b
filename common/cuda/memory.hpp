// SPDX-License-Identifier: MIT
// Memory that frees itself. Sizes count elements of T, not bytes. The contents are undefined at
// first. Both classes throw Skipped where there is not enough memory.
#pragma once

#include <cuda_runtime.h>

#include <cstddef>
#include <string>
#include <type_traits>
#include <utility>

#include "common/cuda/check.hpp"

namespace convolab {

/// Device memory. The host cannot read it: upload() and download() copy all of it.
template <class T>
class DeviceBuffer {
    static_assert(std::is_trivially_copyable_v<T>, "device memory contains plain data only");

  public:
    DeviceBuffer() = default;
    explicit DeviceBuffer(std::size_t size, const char* file = __builtin_FILE(),
                          int line = __builtin_LINE())
        : size_(size) {
        if (size > static_cast<std::size_t>(-1) / sizeof(T))
            check(cudaErrorMemoryAllocation, "DeviceBuffer", file, line);
        if (size > 0) {
            const std::string call = "cudaMalloc of " + std::to_string(bytes()) + " bytes";
            check(cudaMalloc(&data_, bytes()), call.c_str(), file, line);
        }
    }
    ~DeviceBuffer() { static_cast<void>(cudaFree(data_)); }
    DeviceBuffer(DeviceBuffer&& other) noexcept { swap(other); }
    DeviceBuffer& operator=(DeviceBuffer&& other) noexcept {
        swap(other);
        return *this;
    }

    T* data() { return data_; }
    const T* data() const { return data_; }
    std::size_t size() const { return size_; }
    std::size_t bytes() const { return size_ * sizeof(T); }

    /// Copies size() elements from the host, and waits.
    void upload(const T* h_from) {
        if (size_ > 0) CUDA_CHECK(cudaMemcpy(data_, h_from, bytes(), cudaMemcpyHostToDevice));
    }
    /// Copies size() elements to the host after all earlier work, and waits.
    void download(T* h_to) const {
        if (size_ > 0) CUDA_CHECK(cudaMemcpy(h_to, data_, bytes(), cudaMemcpyDeviceToHost));
    }
    /// The same on a stream, without waiting. The host memory must be pinned and must outlive the
    /// copy.
    void upload_async(const T* h_from, cudaStream_t stream) {
        if (size_ > 0)
            CUDA_CHECK(cudaMemcpyAsync(data_, h_from, bytes(), cudaMemcpyHostToDevice, stream));
    }
    void download_async(T* h_to, cudaStream_t stream) const {
        if (size_ > 0)
            CUDA_CHECK(cudaMemcpyAsync(h_to, data_, bytes(), cudaMemcpyDeviceToHost, stream));
    }
    /// Sets every byte.
    void fill(int byte, cudaStream_t stream = nullptr) {
        if (size_ > 0) CUDA_CHECK(cudaMemsetAsync(data_, byte, bytes(), stream));
    }
    void swap(DeviceBuffer& other) noexcept {
        std::swap(data_, other.data_);
        std::swap(size_, other.size_);
    }

  private:
    T* data_ = nullptr;
    std::size_t size_ = 0;
};

/// Pinned host memory: the device can copy from it and to it while the host continues.
template <class T>
class PinnedBuffer {
    static_assert(std::is_trivially_copyable_v<T>, "pinned memory contains plain data only");

  public:
    PinnedBuffer() = default;
    explicit PinnedBuffer(std::size_t size, const char* file = __builtin_FILE(),
                          int line = __builtin_LINE())
        : size_(size) {
        if (size > static_cast<std::size_t>(-1) / sizeof(T))
            check(cudaErrorMemoryAllocation, "PinnedBuffer", file, line);
        if (size > 0) {
            const std::string call = "cudaMallocHost of " + std::to_string(bytes()) + " bytes";
            check(cudaMallocHost(&data_, bytes()), call.c_str(), file, line);
        }
    }
    ~PinnedBuffer() { static_cast<void>(cudaFreeHost(data_)); }
    PinnedBuffer(PinnedBuffer&& other) noexcept { swap(other); }
    PinnedBuffer& operator=(PinnedBuffer&& other) noexcept {
        swap(other);
        return *this;
    }

    T* data() { return data_; }
    const T* data() const { return data_; }
    T* begin() { return data_; }
    T* end() { return data_ + size_; }
    const T* begin() const { return data_; }
    const T* end() const { return data_ + size_; }
    T& operator[](std::size_t i) { return data_[i]; }
    const T& operator[](std::size_t i) const { return data_[i]; }
    std::size_t size() const { return size_; }
    std::size_t bytes() const { return size_ * sizeof(T); }

    /// From now on the caller frees the memory.
    void release() { data_ = nullptr; }
    void swap(PinnedBuffer& other) noexcept {
        std::swap(data_, other.data_);
        std::swap(size_, other.size_);
    }

  private:
    T* data_ = nullptr;
    std::size_t size_ = 0;
};

}  // namespace convolab
