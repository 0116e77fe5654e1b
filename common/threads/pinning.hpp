// Copyright (c) 2026 The Convolab authors
// SPDX-License-Identifier: MIT
//
// Threads that stay where they are while bench measures, no two on one core as long as there are
// cores left. A thread of a ThreadTeam has a CPU of its own. Threads that are created in the timed
// run share as many CPUs as there are threads: to pin each makes no difference
// (results/reference/README.md).
#pragma once

#include <pthread.h>

#include <cstdint>
#include <vector>

namespace convolab {

/// CPUs that this process may run on, whether or not this thread is pinned now.
std::vector<int> allowed_cpus();

/// From now on member i of a new ThreadTeam runs on cpus[i % size] only, and this thread on the
/// first. Throws Error where the system refuses.
void pin_threads(const std::vector<int>& cpus);
/// This thread and those created from now on run wherever the process may.
void unpin_threads();
/// Where threads are pinned: this thread, and those that it creates, run on the first `count` of
/// the CPUs. A call that changes nothing costs nothing.
void run_on_first(int count);

/// Counts a thread that is created in a timed run.
void note_created_thread();
/// Those counted since the program began.
std::int64_t created_threads();

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

/// Attributes with which member i of a ThreadTeam is created.
class ThreadAttributes {
  public:
    explicit ThreadAttributes(std::size_t i);
    ~ThreadAttributes() { pthread_attr_destroy(&attributes_); }
    ThreadAttributes(const ThreadAttributes&) = delete;
    ThreadAttributes& operator=(const ThreadAttributes&) = delete;
    const pthread_attr_t* get() const { return &attributes_; }

  private:
    pthread_attr_t attributes_;
};

}  // namespace convolab
