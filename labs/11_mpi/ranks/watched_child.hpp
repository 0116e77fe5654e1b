// Copyright (c) 2026 The Convolab authors
// SPDX-License-Identifier: MIT
//
// A child process that hears of Ctrl-C and leaves no process behind.
#pragma once

#include <sys/types.h>

namespace convolab::mpi {

/// Before the fork: from now on stops (Ctrl-C, SIGTERM, SIGHUP) are for the child, and processes
/// that lose their parent become children of this one. Stops that the caller ignores stay ignored,
/// as in a script's background.
void begin_watching();

/// Waits until the child and what it left behind have ended. The child's status as of waitpid().
int watch(pid_t pid);

/// The signal that was to stop this process; 0: none.
int stopped_by();

}  // namespace convolab::mpi
