// Copyright (c) 2026 The Convolab authors
// SPDX-License-Identifier: MIT
#pragma once

namespace convolab::mpi {

/// This program once more, with the same arguments, as so many ranks that mpirun starts. Returns rank 0's
/// exit code; where a rank died, says so in a sentence and returns 1.
int under_mpirun(int ranks, int argc, char** argv);

/// Rank 0's last step: hands its exit code to under_mpirun(), and returns 0, because mpirun takes any other
/// code for a failure and needs two seconds to end. Where under_mpirun() did not start it: the code.
int hand_over(int code);

}  // namespace convolab::mpi
