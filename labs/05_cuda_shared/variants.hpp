// SPDX-License-Identifier: MIT
// The variants of this lab, each defined in the file with its name.
#pragma once

#include "common/cuda/band_kernel.hpp"
#include "common/variant/convolver.hpp"

namespace convolab::cuda_shared {

extern const Variant input_tile, filter_in_shared, filter_in_constant, inner_tile, two_batch,
    two_batch_global, two_batch_gray, n_batch, packed;

/// The kernel of `packed` on some rows of an image.
BandKernel packed_kernel_of(const Job& job, const Band& band);

}  // namespace convolab::cuda_shared
