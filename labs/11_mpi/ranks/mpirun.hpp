// Copyright (c) 2026 The Convolab authors
// SPDX-License-Identifier: MIT
#pragma once

namespace convolab::mpi {

/// This program once more, with the same arguments, as so many ranks that mpirun starts. Returns
/// rank 0's exit code; where a rank died, says so in a sentence and returns 1.
int under_mpirun(int ranks, int argc, char** argv);

}  // namespace convolab::mpi
