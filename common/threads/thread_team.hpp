// SPDX-License-Identifier: MIT
// Threads that are created once and used for many runs: creating them takes longer than the fastest
// variant needs for a small image. Two barriers, at which all members meet, begin and end a run.
#pragma once

#include <barrier>
#include <exception>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

namespace convolab {

class ThreadTeam {
  public:
    /// `count` members: the thread that calls run(), and count - 1 new ones. Throws Error if the
    /// system cannot create a thread.
    explicit ThreadTeam(int count);
    ~ThreadTeam();
    ThreadTeam(const ThreadTeam&) = delete;
    ThreadTeam& operator=(const ThreadTeam&) = delete;

    /// Calls work(0) .. work(count - 1), each on its own member, and returns when all are done. What
    /// the first of them has thrown is then thrown here.
    void run(const std::function<void(int)>& work);

  private:
    void serve(int index);
    void do_work(int index);

    std::barrier<> begin_, end_;                      // of a run; all members meet at both
    const std::function<void(int)>* work_ = nullptr;  // of the run; null: the threads end
    std::mutex mutex_;
    std::exception_ptr trouble_;
    std::vector<std::jthread> threads_;  // joined before what they use is destroyed
};

}  // namespace convolab
