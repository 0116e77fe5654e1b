// Copyright (c) 2026 The Convolab authors
// SPDX-License-Identifier: MIT
//
// The kernel of `packed` (04_packed.cu) on some rows of an image: the bands of labs 06 and 11.
#pragma once

#include <cuda_runtime.h>

#include <functional>

#include "common/cuda/packed_rows.hpp"
#include "common/cuda/prepared_kernel.hpp"

namespace convolab::separable {

class PackedBand : public PreparedKernel {
  public:
    PackedBand(const Job& job, const RowsOfBand& band)
        : rows(byte_rows(job, band, nullptr, nullptr)) {}

    /// Sets the rows per warp, the grid and the block.
    template <class Body>
    void prepare_strips(void (*kernel)(ByteRows, typename Body::Taps)) {
        const auto blocks = static_cast<int>(resident_blocks(kernel, 32 * kStripsPerBlock));
        prepare(kernel, strip_shape(rows, blocks, Body::kRowsAhead, Body::kBandOfMany));
    }
    using PreparedKernel::kernel_resources;

    ByteRows rows;  ///< without the addresses of the two buffers, which each launch sets
    std::function<void(const ByteRows&, cudaStream_t)> launch;
};

/// Throws Unsupported for K other than 3, 5, 7, 9 and for a filter that is not separable. With border
/// `renormalise` the p pixels at the image's edge are not right.
PackedBand packed_band(const Job& job, const RowsOfBand& band);

}  // namespace convolab::separable
