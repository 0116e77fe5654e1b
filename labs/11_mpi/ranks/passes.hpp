// Copyright (c) 2026 The Convolab authors
// SPDX-License-Identifier: MIT
//
// What the variants of this lab compute: the job's filter as often as the setting `passes` says,
// each time on the output of the time before, with the same border.
#pragma once

#include "common/variant/lab.hpp"

namespace convolab::mpi {

/// bytes: of the first input and the last output; operations: of all passes.
const Operation& passes_of_a_filter();

/// Throws Unsupported where border `valid` leaves no output of the last pass.
void require_output(const Job& job);

}  // namespace convolab::mpi
