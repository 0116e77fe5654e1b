// SPDX-License-Identifier: MIT
// The variants of this lab, each defined in the file with its name.
#pragma once

#include "common/variant/convolver.hpp"

namespace convolab::mpi {

extern const Variant scatter, halo, overlap, wide_halo, grid, io, gpu, gpu_overlap, gpu_direct,
    gpu_nccl;

}  // namespace convolab::mpi
