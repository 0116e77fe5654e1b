// Copyright (c) 2026 The Convolab authors
// SPDX-License-Identifier: MIT
//
// For a header that makes functions of other instructions, such as an mbarrier's: as long as one of
// these lives, no other CUDA thread gets a turn.
#pragma once

namespace cuda_on_cpu {

inline volatile int uninterrupted = 0;

class Uninterrupted {
  public:
    Uninterrupted() { uninterrupted = uninterrupted + 1; }
    ~Uninterrupted() { uninterrupted = uninterrupted - 1; }
    Uninterrupted(const Uninterrupted&) = delete;
    Uninterrupted& operator=(const Uninterrupted&) = delete;
};

}  // namespace cuda_on_cpu
