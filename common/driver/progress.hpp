// SPDX-License-Identifier: MIT
// What bench and verify print on stderr while they run: the progress, and the time left.
#pragma once

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <string>
#include <thread>

#include "common/driver/options.hpp"

namespace convolab {

/// "12 s", "3 min 20 s", "1 h 5 min"
std::string duration_text(double seconds);

class BenchProgress {
  public:
    /// expected_s: of all tasks together, in seconds.
    BenchProgress(std::string lab, double expected_s);

    void begin(std::size_t tasks, std::size_t done, const Options& options);
    /// what: "rows 4k, threads 8".
    void set_up(const std::string& what);
    /// The rounds of this many configurations of one size begin.
    void group(std::size_t configurations, const std::string& size, double expected_s);
    /// Before each turn.
    void turn(const std::string& what, int round, int rounds, double expected_s);
    /// Describes a finished row.
    void row(const std::string& what, const std::string& text);
    void interrupted(const std::string& csv);

  private:
    /// A line every 10 seconds.
    void say(const std::string& text);

    std::string lab_;
    double left_s_;                               ///< of all that has not begun
    double group_s_ = 0;                          ///< of the group that is measured
    std::string where_ = "nothing is timed yet";  ///< or "round 3 of 10 at 4k"
    std::string size_;
    std::chrono::steady_clock::time_point said_ = std::chrono::steady_clock::now();
};

/// Threads may call it at the same time.
class VerifyProgress {
  public:
    /// cost: of all the work, in any unit. period: from a line to the next; one comparison may take
    /// longer.
    VerifyProgress(std::string lab, double cost,
                   std::chrono::milliseconds period = std::chrono::seconds(10));
    /// A part of the work is done.
    void done(double cost);
    void end();

  private:
    std::string text() const;

    std::mutex mutex_;
    std::string lab_;
    double cost_;
    double done_ = 0;
    std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
    std::condition_variable_any never_;
    std::jthread clock_;  ///< ends before what it uses
};

}  // namespace convolab
