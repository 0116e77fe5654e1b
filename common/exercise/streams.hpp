// Copyright (c) 2026 The Convolab authors
// SPDX-License-Identifier: MIT
//
// What the judge of an exercise with streams gives to the answer, and how it sees what overlaps.
#pragma once

#include <cuda_runtime.h>

#include <algorithm>
#include <string>
#include <vector>

#include "common/exercise/device.hpp"

namespace convolab::exercise {

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

/// Ends the program with a sentence about the answer, unless it is right.
inline void require(bool is_right, const char* sentence) {
    if (!is_right) complain(sentence);
}

}  // namespace convolab::exercise
