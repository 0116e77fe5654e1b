// SPDX-License-Identifier: MIT
// What bench and verify print on stderr: while they run, the progress and the time left; then, of
// bench, one line that sums up.
#pragma once

#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "common/driver/options.hpp"
#include "common/driver/tasks.hpp"

namespace convolab {

/// "12 s", "3 min 20 s", "1 h 5 min"
std::string duration_text(double seconds);

/// How much work is done, and how long the rest takes at that speed. The unit is anything that work
/// is about proportional to.
class WorkLeft {
  public:
    explicit WorkLeft(double all) : all_(all) {}
    void done(double work) { done_ += work; }
    double share() const { return std::min(1.0, done_ / all_); }
    /// ", 3 min 20 s left"; nothing if too little is done to know.
    std::string text() const;

  private:
    double all_, done_ = 0;
    std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

/// The line that says how far the work is: on a terminal it is rewritten every second, elsewhere
/// there is a new one every minute.
class StatusLine {
  public:
    ~StatusLine() { clear(); }
    /// How long it stands.
    std::chrono::milliseconds period() const { return period_; }
    void say(const std::string& text);
    /// Before any other line.
    void clear();

  private:
    const bool is_terminal_ = ::isatty(STDERR_FILENO) == 1;
    const std::chrono::milliseconds period_ = std::chrono::seconds(is_terminal_ ? 1 : 60);
    bool is_there_ = false;
};

struct BenchResult;

class BenchProgress {
  public:
    /// pending: what is going to be measured.
    BenchProgress(const std::string& lab, const Options& options, const std::vector<Task>& pending);

    /// tasks: all, also those whose rows are there.
    void begin(std::size_t tasks);
    void set_up(const Task& task);
    /// Before each turn.
    void turn(const Task& task, int round);
    /// After it; of a task that has no turns, after it was set up with `rounds`.
    void done(const Task& task, int rounds = 1);
    /// A finished row. With --brief it is printed only if it failed.
    void row(const Task& task, const BenchResult& result);
    void interrupted(const std::string& csv);
    /// With --brief: "05_cuda_shared: 24 rows, 20 timed, 4 unsupported; fastest at 8k: packed,
    /// 0.0908 ms".
    void end();

  private:
    void say(const std::string& text);

    std::string lab_;
    const Options& options_;
    std::size_t pending_, measured_before_ = 0;
    std::map<std::string, std::size_t> rows_;  ///< by what became of them
    std::string fastest_;                      ///< at the size that came last
    double fastest_ms_ = 0;
    std::string size_;
    WorkLeft left_;
    StatusLine status_;
    std::string where_ = "nothing is timed yet";  ///< or "round 3 of 10 at 4k"
    std::chrono::steady_clock::time_point said_ = std::chrono::steady_clock::now();
};

/// Threads may call it at the same time.
class VerifyProgress {
  public:
    /// cost: of all the work, in any unit. period: from a line to the next, if not the usual one;
    /// one comparison may take longer.
    VerifyProgress(std::string lab, double cost,
                   std::optional<std::chrono::milliseconds> period = {});
    /// A part of the work is done.
    void done(double cost);
    void end();

  private:
    std::mutex mutex_;
    std::string lab_;
    WorkLeft left_;
    StatusLine status_;
    std::condition_variable_any never_;
    std::jthread clock_;  ///< ends before what it uses
};

}  // namespace convolab
