// Copyright (c) 2026 The Convolab authors
// SPDX-License-Identifier: MIT
//
// The host's side of the packed kernels (strips.hpp): device images whose rows begin on lines of 128
// bytes, and a launch whose bands suit the size of the image.
#pragma once

#include <functional>
#include <utility>

#include "common/cuda/convolver.hpp"
#include "common/cuda/strips.hpp"

namespace convolab {

/// uint8, interleaved, K 3 to 9.
class PackedConvolver final : public CudaConvolver {
  public:
    /// Throws Unsupported for another pixel type and for rows over 2^30 bytes.
    explicit PackedConvolver(const Job& job);

    /// Variant::memory: as cuda_memory(), rows rounded up to 128 bytes.
    static MemoryNeed memory(const Job& job);

    /// Sets `rows` and the launch. The height of a band is a multiple of Body::kRowsAhead: one wave of
    /// blocks where that gives bands of at most 24 rows, otherwise several waves of bands of about
    /// Body::kBandOfMany rows.
    template <class Body>
    void prepare_strips(void (*kernel)(ByteRows, typename Body::Taps)) {
        const int blocks = resident_blocks(kernel, 32 * kStripsPerBlock);
        prepare(kernel, strips(blocks, Body::kRowsAhead, Body::kBandOfMany));
    }
    void launches(std::function<void()> launch) { launch_ = std::move(launch); }

    ByteRows rows;

  private:
    void launch() override { launch_(); }
    LaunchShape strips(int resident_blocks, int ahead, int many);

    std::function<void()> launch_;
};

}  // namespace convolab
