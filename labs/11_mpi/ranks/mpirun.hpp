// Copyright (c) 2026 The Convolab authors
// SPDX-License-Identifier: MIT
#pragma once

namespace convolab::mpi {

/// Runs this program once more, with the same arguments, on `ranks` ranks that mpirun starts.
/// Returns rank 0's exit code; if a rank died, prints an error message and returns 1.
int under_mpirun(int ranks, int argc, char** argv);

}  // namespace convolab::mpi
