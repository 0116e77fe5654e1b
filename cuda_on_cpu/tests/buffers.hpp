// SPDX-License-Identifier: MIT
// Memory, streams and events that free themselves.
#pragma once

#include <cuda_runtime.h>

#include <cstddef>
#include <stdexcept>

/// Throws if a call fails that the test is not about.
inline void must(cudaError_t error) {
    if (error != cudaSuccess) throw std::runtime_error(cudaGetErrorName(error));
}

struct NoCopy {
    NoCopy() = default;
    NoCopy(const NoCopy&) = delete;
    NoCopy& operator=(const NoCopy&) = delete;
};

/// `size` values in device memory. Each copy transfers all of them.
template <class T>
class DeviceBuffer : NoCopy {
  public:
    explicit DeviceBuffer(std::size_t size) : size_(size) { must(cudaMalloc(&d_data_, bytes())); }
    ~DeviceBuffer() { cudaFree(d_data_); }
    T* data() const { return d_data_; }
    std::size_t size() const { return size_; }
    void upload(const T* from) { must(cudaMemcpy(d_data_, from, bytes(), cudaMemcpyHostToDevice)); }
    void download(T* to) const { must(cudaMemcpy(to, d_data_, bytes(), cudaMemcpyDeviceToHost)); }
    void fill(int byte) { must(cudaMemset(d_data_, byte, bytes())); }

  private:
    std::size_t bytes() const { return size_ * sizeof(T); }
    T* d_data_ = nullptr;
    std::size_t size_;
};

template <class T>
class PinnedBuffer : NoCopy {
  public:
    explicit PinnedBuffer(std::size_t size) { must(cudaMallocHost(&data_, size * sizeof(T))); }
    ~PinnedBuffer() { cudaFreeHost(data_); }
    T* data() { return data_; }
    T& operator[](std::size_t i) { return data_[i]; }

  private:
    T* data_ = nullptr;
};

class Stream : NoCopy {
  public:
    Stream() { must(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking)); }
    ~Stream() { cudaStreamDestroy(stream_); }
    cudaStream_t get() const { return stream_; }
    void wait() const { must(cudaStreamSynchronize(stream_)); }

  private:
    cudaStream_t stream_ = nullptr;
};

class Event : NoCopy {
  public:
    explicit Event(unsigned flags = 0) { must(cudaEventCreateWithFlags(&event_, flags)); }
    ~Event() { cudaEventDestroy(event_); }
    cudaEvent_t get() const { return event_; }
    void record(cudaStream_t stream) { must(cudaEventRecord(event_, stream)); }
    void make_wait(cudaStream_t stream) const { must(cudaStreamWaitEvent(stream, event_)); }

  private:
    cudaEvent_t event_ = nullptr;
};
