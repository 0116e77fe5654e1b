// SPDX-License-Identifier: MIT
// What the judge of a CUDA exercise does around a launch.
#pragma once

#include <cuda_runtime.h>

#include "labs/exercise/exercise.hpp"

namespace convolab::exercise {

/// Ends the program with CUDA's words for an error of the answer.
inline void check(cudaError_t error) {
    if (error == cudaSuccess) return;
    complain(std::string("CUDA says: ") + cudaGetErrorString(error) + '.');
}

/// Host values in device memory, as long as this lives.
template <class T>
class OnDevice {
  public:
    explicit OnDevice(const std::vector<T>& values) : bytes_(values.size() * sizeof(T)) {
        check(cudaMalloc(&data_, bytes_));
        check(cudaMemcpy(data_, values.data(), bytes_, cudaMemcpyHostToDevice));
    }
    ~OnDevice() { cudaFree(data_); }
    OnDevice(const OnDevice&) = delete;
    OnDevice& operator=(const OnDevice&) = delete;

    T* data() const { return data_; }
    void copy_to(std::vector<T>& values) const {
        check(cudaMemcpy(values.data(), data_, bytes_, cudaMemcpyDeviceToHost));
    }

  private:
    std::size_t bytes_;
    T* data_ = nullptr;
};

/// Measures launch() until the device is done, without the judge's copies.
template <class Launch>
void time_launch(Launch launch) {
    stopwatch.start(CLOCK_MONOTONIC);
    launch();
    check(cudaGetLastError());
    check(cudaDeviceSynchronize());
    stopwatch.stop();
}

/// Values in pinned memory of the host, as long as this lives.
template <class T>
class Pinned {
  public:
    explicit Pinned(const std::vector<T>& values) : size_(values.size()) {
        check(cudaMallocHost(&data_, size_ * sizeof(T)));
        std::copy(values.begin(), values.end(), data_);
    }
    ~Pinned() { cudaFreeHost(data_); }
    Pinned(const Pinned&) = delete;
    Pinned& operator=(const Pinned&) = delete;

    T* data() const { return data_; }
    std::vector<T> values() const { return {data_, data_ + size_}; }

  private:
    std::size_t size_;
    T* data_ = nullptr;
};

/// A stream that does not wait for the default stream.
class Stream {
  public:
    Stream() { check(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking)); }
    ~Stream() { cudaStreamDestroy(stream_); }
    Stream(const Stream&) = delete;
    Stream& operator=(const Stream&) = delete;

    cudaStream_t get() const { return stream_; }

  private:
    cudaStream_t stream_ = nullptr;
};

}  // namespace convolab::exercise
