// Copyright (c) 2026 The Convolab authors
// SPDX-License-Identifier: MIT
//
// How rank 0's exit code gets past mpirun: mpirun takes any code but 0 for a failure and needs two
// seconds to end, so rank 0 returns 0 and leaves its code here.
#pragma once

#include <optional>

namespace convolab::mpi {

/// Where rank 0 leaves its exit code: memory of this process that has a name as a file.
class ExitCode {
  public:
    ExitCode();
    ~ExitCode();
    ExitCode(const ExitCode&) = delete;
    ExitCode& operator=(const ExitCode&) = delete;

    /// Nothing: rank 0 did not come to its end.
    std::optional<int> get() const;

  private:
    int memory_;
};

/// Rank 0's last step: leaves its exit code where the process that started mpirun finds it, and
/// returns 0. Without such a process it returns the code.
int hand_over(int code);

}  // namespace convolab::mpi
