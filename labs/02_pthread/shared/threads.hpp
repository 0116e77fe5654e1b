// Copyright (c) 2026 The Convolab authors
// SPDX-License-Identifier: MIT
//
// What the page of rows shows, for the variants after it: POSIX threads, created and joined inside
// the timed run, as in ariano2023's program.
#pragma once

#include <pthread.h>

#include <functional>
#include <list>

namespace convolab {

/// The threads of one run. Declare it after everything that the threads use: where a thread is
/// refused, the destructor joins the others before any of that is destroyed.
class Threads {
  public:
    Threads() = default;
    ~Threads() { join(); }
    Threads(const Threads&) = delete;
    Threads& operator=(const Threads&) = delete;

    /// Calls work() on a new thread. Throws Error where the system refuses one.
    void start(std::function<void()> work);
    /// Returns when all threads have ended.
    void join();

  private:
    struct Thread {
        pthread_t id;
        std::function<void()> work;
    };
    std::list<Thread> threads_;  // a list: its elements stay where they are
};

}  // namespace convolab
