// SPDX-License-Identifier: MIT
// Finds requests that no call waits for, and ranks that wait for each other. The calls of MPI that
// begin or end a request, and those that wait, pass through this file (PMPI, MPI's interface for
// profilers).
#pragma once

#include <memory>

namespace convolab::mpi {

/// Throws Error, naming the first of this rank's requests that has begun and was not waited for.
void require_no_open_requests();

/// Prints on stderr each call that this rank has waited in for this many seconds, with the ranks
/// that it waits for. Once for each call.
void tell_long_waits(double seconds);

/// If set, it is called before MPI_Sendrecv reads and writes there, and what it returns lives until
/// that has ended. The emulator's device memory is opened to the host so.
inline std::shared_ptr<void> (*open_to_mpi)(const void* from, const void* to) = nullptr;

}  // namespace convolab::mpi
