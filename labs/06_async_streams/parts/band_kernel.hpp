// Copyright (c) 2026 The Convolab authors
// SPDX-License-Identifier: MIT
//
// The two kernels that filter a band: setting kernel 1, this lab's own (band_kernel.cu), for every
// border rule and any filter up to 9x9; setting 2, the packed one of lab 07 (packed_band.cu), the
// fastest there is, for separable filters of side 3 to 9.
#pragma once

#include <cuda_runtime.h>

#include <cstdint>
#include <functional>

#include "common/cuda/convolver.hpp"

namespace convolab::async_streams {

/// The output rows of a band, and the input rows they are computed from, in coordinates of the whole
/// image. With border `wrap` the halo of the first and of the last band reaches past the image.
struct Band {
    int first;  ///< output row
    int rows;   ///< output rows
    int low;    ///< first input row of the band
    int high;   ///< one past the last
};

/// A kernel bound to a band.
struct BandKernel {
    /// d_in, d_out: the first pixels of the band's buffers, stored as `in` and `out` say.
    std::function<void(const std::uint8_t* d_in, std::uint8_t* d_out, cudaStream_t stream)> launch;
    DeviceRows in, out;
    KernelResources resources;
};

/// That of job.settings.kernel. Throws Unsupported for a job that it cannot do.
BandKernel band_kernel(const Job& job, const Band& band);

BandKernel own_band_kernel(const Job& job, const Band& band);
BandKernel packed_band_kernel(const Job& job, const Band& band);

}  // namespace convolab::async_streams
