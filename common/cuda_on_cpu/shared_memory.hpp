// Copyright (c) 2026 The Convolab authors
// SPDX-License-Identifier: MIT
//
// Shared memory is the program's thread-local block, all __shared__ variables of all kernels, and an
// array for the dynamic ones. It is filled with 0xff before every block, so that a kernel cannot
// rely on what it has not written.
#pragma once

#include <cstddef>

namespace cuda_on_cpu {

// Bytes; those of compute capability 9.0.
constexpr std::size_t default_shared_bytes = 48 * 1024;
constexpr std::size_t largest_shared_bytes = 227 * 1024;

/// While it lives, ASan reports every access to dynamic shared memory past `dynamic_bytes`.
class SharedMemory {
  public:
    explicit SharedMemory(std::size_t dynamic_bytes);
    ~SharedMemory();
    SharedMemory(const SharedMemory&) = delete;
    SharedMemory& operator=(const SharedMemory&) = delete;
    /// Makes it as undefined as it is on a GPU when a block begins.
    void forget() const;

  private:
    std::size_t dynamic_bytes_;
    char* begin_ = nullptr;  // the program's thread-local variables without an initialiser
    char* end_ = nullptr;
};

}  // namespace cuda_on_cpu
