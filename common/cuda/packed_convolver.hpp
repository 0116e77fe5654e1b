// Copyright (c) 2026 The Convolab authors
// SPDX-License-Identifier: MIT
//
// A variant with a packed kernel (strips.hpp) on a whole image.
#pragma once

#include <functional>
#include <utility>

#include "common/cuda/convolver.hpp"
#include "common/cuda/packed_rows.hpp"
#include "common/cuda/strips.hpp"

namespace convolab {

/// uint8, interleaved, K 3 to 9.
class PackedConvolver final : public CudaConvolver {
  public:
    /// Throws Unsupported for another pixel type and for rows over 2^30 bytes.
    explicit PackedConvolver(const Job& job);

    /// Variant::memory: as cuda_memory(), with rows rounded up to 128 bytes and, where that changes
    /// them, room for an image as the host has it.
    static MemoryNeed memory(const Job& job);

    /// Sets `rows` and the launch (strip_shape).
    template <class Body>
    void prepare_strips(void (*kernel)(ByteRows, typename Body::Taps)) {
        const int blocks = resident_blocks(kernel, 32 * kStripsPerBlock);
        prepare(kernel, strip_shape(rows, blocks, Body::kRowsAhead, Body::kBandOfMany));
    }
    void launches(std::function<void()> launch) { launch_ = std::move(launch); }

    ByteRows rows;

  private:
    void launch() override { launch_(); }

    std::function<void()> launch_;
};

}  // namespace convolab
