// Copyright (c) 2026 The Convolab authors
// SPDX-License-Identifier: MIT
//
// Requests that nobody waits for, and ranks that wait for each other. The calls of MPI that begin or
// end a request, and those that wait, pass through this file (PMPI, MPI's interface for profilers).
#pragma once

namespace convolab::mpi {

/// Throws Error, naming the first of this rank's requests that has begun and was not waited for.
void require_no_open_requests();

/// A call that this rank has waited in for so many seconds is named on stderr, with the ranks that
/// it waits for. Once for each call.
void tell_long_waits(double seconds);

}  // namespace convolab::mpi
