// Copyright (c) 2026 The Convolab authors
// SPDX-License-Identifier: MIT
//
// Selects the device for the calls of this thread, for the length of a scope.
#pragma once

#include <cuda_runtime.h>

#include "common/cuda/check.hpp"

namespace convolab {

class OnDevice {
  public:
    explicit OnDevice(int device) {
        CUDA_CHECK(cudaGetDevice(&before_));
        if (device != before_) CUDA_CHECK(cudaSetDevice(device));
        changed_ = device != before_;
    }
    ~OnDevice() {
        if (changed_) static_cast<void>(cudaSetDevice(before_));
    }
    OnDevice(const OnDevice&) = delete;
    OnDevice& operator=(const OnDevice&) = delete;

  private:
    int before_ = 0;
    bool changed_ = false;
};

}  // namespace convolab
