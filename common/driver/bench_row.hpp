// Copyright (c) 2026 The Convolab authors
// SPDX-License-Identifier: MIT
//
// One configuration of bench, from the task to the row: verify, take turns, verify the last output
// again, fill in the statistics.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "common/driver/bench_session.hpp"
#include "common/driver/rounds.hpp"
#include "common/driver/row_times.hpp"

namespace convolab {

class BenchRow {
  public:
    /// Verifies. What cannot be done, and what is wrong, is a finished row.
    BenchRow(BenchSession& session, const Task& task);

    /// Whether it takes turns: right so far, and on a machine that is timed.
    bool is_open() const { return prepared_ != nullptr && backend_.is_timed(); }
    /// The runs of a round, after those that warm up. They replace those of an earlier turn in the
    /// same round. Says whether the machine was disturbed.
    bool turn(int round);
    /// The finished row. in_round: configurations that took turns with it, and itself.
    Row finish(const TurnCounts& counts, std::size_t in_round);

  private:
    /// Calls work(); what it throws becomes the row's status and reason, and the end of its turns.
    void attempt(const std::function<void()>& work);
    void end(const std::string& status, const std::string& reason);
    void verify();
    /// ranks: what the ranks' times of the timed runs become; nullptr: they are not kept.
    std::vector<double> run(int round, const std::function<double()>& once_ms,
                            std::vector<RankTimes>* ranks);
    double kernel_ms();
    double whole_ms();                    ///< of one frame, with its copies, on the host's clock
    void time_copies(std::size_t round);  ///< each by events: of the labs that compare frames
    std::string watched();
    void fill_rates(double ms);

    BenchSession& session_;
    const Task task_;
    Backend& backend_;
    Row row_;
    std::unique_ptr<PreparedVariant> prepared_;  ///< none: the row is finished
    Times kernel_ms_, total_ms_, copy_in_ms_, copy_out_ms_;
    std::vector<std::vector<RankTimes>> rank_ms_;  // by round; none where no ranks took part
};

}  // namespace convolab
