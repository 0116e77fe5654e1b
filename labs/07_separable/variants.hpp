// SPDX-License-Identifier: MIT
// The variants of this lab, each defined in the file with its name.
#pragma once

#include "common/cuda/band_kernel.hpp"
#include "common/variant/convolver.hpp"

namespace convolab::separable {

extern const Variant two_pass, two_pass_tile, fused, packed, running_sums;

/// The kernel of `packed` on some rows of an image.
BandKernel packed_kernel_of(const Job& job, const Band& band);

}  // namespace convolab::separable
