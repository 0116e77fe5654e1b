// Copyright (c) 2026 The Convolab authors
// SPDX-License-Identifier: MIT
//
// What the judge of a CUDA exercise does around a launch.
#pragma once

#include <cuda_runtime.h>

#include <string>
#include <vector>

#include "common/exercise/complain.hpp"
#include "common/exercise/copies.hpp"
#include "common/exercise/stopwatch.hpp"

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

/// Times launch() until the device is done. It brings nothing to the host.
template <class Launch>
void time_launch(Stopwatch& watch, Launch launch) {
    is_launching = true;
    watch.start();
    launch();
    is_launching = false;
    check(cudaGetLastError());
    check(cudaDeviceSynchronize());
    watch.stop();
}

}  // namespace convolab::exercise
