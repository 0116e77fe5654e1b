// Copyright (c) 2026 The Convolab authors
// SPDX-License-Identifier: MIT
//
// Threads that stay where they are while bench measures, no two on one core as long as there are
// cores left. A thread of a ThreadTeam has a CPU of its own. Threads that are created in the timed
// run share as many CPUs as there are threads: to pin each makes no difference
// (results/reference/README.md).
#pragma once

#include <cstddef>
#include <vector>

namespace convolab {

/// CPUs that this process may run on, whether or not this thread is pinned now.
std::vector<int> allowed_cpus();

/// From now on member i of a new ThreadTeam runs on cpus[i % size] only, and this thread on the
/// first. Throws Error where the system refuses.
void pin_threads(const std::vector<int>& cpus);
/// This thread and those created from now on run wherever the process may.
void unpin_threads();
/// Called by member i of a new ThreadTeam.
void pin_member(std::size_t i);
/// Where threads are pinned: this thread, and those that it creates, run on the first `count` of
/// the CPUs. A call that changes nothing costs nothing.
void run_on_first(int count);

/// For the length of a scope this thread, and those that it creates, run wherever the process may.
class NotPinned {
  public:
    NotPinned();
    ~NotPinned();
    NotPinned(const NotPinned&) = delete;
    NotPinned& operator=(const NotPinned&) = delete;

  private:
    int before_;
};

}  // namespace convolab
