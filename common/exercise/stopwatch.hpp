// Copyright (c) 2026 The Convolab authors
// SPDX-License-Identifier: MIT
#pragma once

#include <chrono>

namespace convolab::exercise {

/// Measures what lies between start() and stop(); the whole call, if they are not called.
class Stopwatch {
  public:
    void start() { begin_ = Clock::now(); }
    void stop() { seconds_ = std::chrono::duration<double>(Clock::now() - begin_).count(); }
    bool stopped() const { return seconds_ >= 0; }
    double seconds() const { return seconds_; }

  private:
    using Clock = std::chrono::steady_clock;
    Clock::time_point begin_ = Clock::now();
    double seconds_ = -1;
};

}  // namespace convolab::exercise
