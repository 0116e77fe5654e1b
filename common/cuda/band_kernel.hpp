// SPDX-License-Identifier: MIT
// A kernel bound to a band: some rows of an image. Labs 06 and 11 launch it and copy around it;
// what they teach is when. Setting kernel 1 is the plain one (band_kernel.cu), for every border
// rule and any filter up to 9x9; 2 the packed one (packed_band_kernel.cu), for separable filters of
// side 3 to 9.
#pragma once

#include <cuda_runtime.h>

#include <cstdint>
#include <functional>

#include "common/cuda/convolver.hpp"

namespace convolab {

/// The output rows of a band, and the input rows they are computed from, in coordinates of the
/// whole image. With border `wrap` the halo of the first and of the last band reaches past the
/// image.
struct Band {
    int first;  ///< output row
    int rows;   ///< output rows
    int low;    ///< first input row of the band
    int high;   ///< one past the last
};

/// The whole image as one band: every border rule finds its rows in it.
Band whole_image(const Job& job);

/// The band's rows in device memory. A pitch of 0: as the kernel's `in` and `out` say.
struct DeviceBand {
    const std::uint8_t* d_in;  ///< the first pixel
    std::uint8_t* d_out;
    int in_pitch = 0, out_pitch = 0;  ///< bytes from one row to the next
};

struct BandKernel {
    std::function<void(const DeviceBand& at, cudaStream_t stream)> launch_at;
    DeviceRows in, out;
    KernelResources resources;
    dim3 grid;

    /// d_in, d_out: the first pixels of the band's buffers, stored as `in` and `out` say.
    void launch(const std::uint8_t* d_in, std::uint8_t* d_out, cudaStream_t stream) const {
        launch_at({d_in, d_out}, stream);
    }
};

/// That of job.settings.kernel. Throws Unsupported for a job that it cannot do.
BandKernel band_kernel(const Job& job, const Band& band);

BandKernel plain_band_kernel(const Job& job, const Band& band);
/// Pictures with strips of the packed kernel inside, which run other code, that end a little after a
/// strip, or with one.
std::vector<AwkwardPicture> strip_ends();
/// With border `renormalise` the p pixels at the image's edge are not right.
BandKernel packed_band_kernel(const Job& job, const Band& band);

}  // namespace convolab
