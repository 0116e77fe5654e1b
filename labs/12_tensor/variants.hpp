// SPDX-License-Identifier: MIT
// The variants of this lab, each defined in the file with its name.
#pragma once

#include "common/cuda/band_kernel.hpp"
#include "common/variant/convolver.hpp"

namespace convolab::tensor_cores {

extern const Variant im2col, toeplitz, dense, shared, sparse, march, pipeline, tensor, wgmma,
    cublas;

/// The kernels of `tensor` and `wgmma` on some rows of an image.
BandKernel tensor_kernel(const Job& job, const Band& band);
BandKernel wgmma_kernel(const Job& job, const Band& band);

}  // namespace convolab::tensor_cores
