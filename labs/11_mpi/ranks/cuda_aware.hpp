// SPDX-License-Identifier: MIT
// Whether the MPI library takes pointers to device memory. The emulator's device memory is closed
// to the host; there cuda_aware.cu opens it while the library reads or writes it.
#pragma once

namespace convolab::mpi {

/// Throws MissingLibrary if the library is not CUDA-aware; the message names what to do.
void require_cuda_aware_mpi();

}  // namespace convolab::mpi
