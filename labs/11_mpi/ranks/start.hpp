// SPDX-License-Identifier: MIT
#pragma once

#include "common/driver/run_lab.hpp"

namespace convolab::mpi {

/// run_lab() on MPI ranks: on those that mpirun or srun has started with this program, else on new
/// ones, for which this function calls mpirun: as many as the largest value of --ranks. Exit codes
/// as of run_lab(); 1 if a rank died.
int run_on_ranks(int argc, char** argv, const Lab& lab);

}  // namespace convolab::mpi
