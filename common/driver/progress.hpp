// Copyright (c) 2026 The Convolab authors
// SPDX-License-Identifier: MIT
//
// What bench tells while it runs, on stderr: where it is, how long it still takes, each row.
#pragma once

#include <chrono>
#include <string>

#include "common/measurement/results.hpp"

namespace convolab {

/// "12 s", "3 min 20 s", "1 h 5 min"
std::string duration_text(double seconds);

class Progress {
  public:
    /// expected_s: of all tasks together, in seconds.
    Progress(std::string lab, double expected_s);

    void begin(std::size_t tasks, std::size_t done, int iterations, int warmup);
    void task(const std::string& variant, const std::string& size, int threads, int block,
              double expected_s);
    /// After each timed run; rewrites one line on a terminal and is silent elsewhere.
    void iteration(int i, int of);
    void row(const Row& row);
    void interrupted(const std::string& csv);

  private:
    void clear_line();

    std::string lab_;
    double left_s_;
    double task_s_ = 0;
    std::string task_;
    bool terminal_;
    bool line_shown_ = false;
    std::chrono::steady_clock::time_point shown_;
};

}  // namespace convolab
