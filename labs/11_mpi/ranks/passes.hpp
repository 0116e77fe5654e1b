// SPDX-License-Identifier: MIT
// The computation of this lab: the job's filter, `passes` times, each time on the previous output,
// with the same border.
#pragma once

#include "common/variant/lab.hpp"

namespace convolab::mpi {

/// bytes: of the first input and the last output; operations: of all passes.
const Operation& passes_of_a_filter();

/// Throws Unsupported if border `valid` leaves no output of the last pass.
void require_output(const Job& job);

}  // namespace convolab::mpi
