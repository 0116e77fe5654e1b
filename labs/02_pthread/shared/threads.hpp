// SPDX-License-Identifier: MIT
// Creates and joins POSIX threads as 01_rows.cpp does, for the variants after it. The time of a run
// includes both, as in ariano2023's program.
#pragma once

#include <pthread.h>

#include <functional>
#include <list>

namespace convolab {

/// The threads of one run. Declare it after everything that the threads use: if a thread cannot be
/// created, the destructor joins the others before anything that they use is destroyed.
class Threads {
  public:
    Threads() = default;
    ~Threads() { join(); }
    Threads(const Threads&) = delete;
    Threads& operator=(const Threads&) = delete;

    /// Calls work() on a new thread. Throws Error if the system cannot create one.
    void start(std::function<void()> work);
    /// Returns when all threads have ended.
    void join();

  private:
    struct Thread {
        pthread_t id;
        std::function<void()> work;
    };
    std::list<Thread> threads_;  // a list never moves its elements, and each thread uses its own
};

}  // namespace convolab
