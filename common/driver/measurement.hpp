// SPDX-License-Identifier: MIT
// lab bench, from the tasks to the rows: what has to be measured, in which turns, and one
// configuration from its first verification to its statistics.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "common/driver/commands.hpp"
#include "common/driver/options.hpp"
#include "common/measurement/csv.hpp"
#include "common/measurement/machine.hpp"
#include "common/measurement/statistics.hpp"
#include "common/threads/cpus.hpp"
#include "common/variant/convolver.hpp"

namespace convolab {

/// The numbers 0 .. n - 1 in the order of a round; the same for the same seed on every machine.
std::vector<std::size_t> shuffled(std::size_t n, std::uint64_t seed, int round);

/// The timed runs that a round has: all rounds together have `iterations`, and no two rounds differ
/// by more than one.
int runs_of_round(int iterations, int rounds, int round);

/// At most 10, and at least 5 runs in each where there are as many.
int default_rounds(int iterations);

/// Calls turn(configuration, round) once for each configuration in each round. Ends early if stop()
/// returns true.
void take_turns(std::size_t configurations, int rounds, std::uint64_t seed,
                const std::function<void(std::size_t, int)>& turn,
                const std::function<bool()>& stop);

/// What all rows of one run of the program share.
struct BenchSession {
    /// Pins the threads, unless the options say no.
    BenchSession(const Lab& lab, const Options& options, Tasks& tasks);
    ~BenchSession() { unpin_threads(); }
    BenchSession(const BenchSession&) = delete;
    BenchSession& operator=(const BenchSession&) = delete;

    const Lab& lab;
    const Options& options;
    Tasks& tasks;
    const Row machine = machine_facts();                       ///< before the first measurement
    const std::string gpu_clocks = lab.backend->gpu_clocks();  ///< likewise
};

/// A variant with its job and its frames. Two frames are a clip that is played to and fro.
struct PreparedVariant {
    PreparedVariant(BenchSession& session, const Task& task);
    PreparedVariant(const PreparedVariant&) = delete;
    PreparedVariant& operator=(const PreparedVariant&) = delete;

    /// Takes the next step of the clip; does nothing if there is one picture.
    void next_frame();
    /// Throws Error if the output is not the reference's.
    void require_right_output();

    const Case& truth;
    std::vector<Image> clip;  ///< a copy of truth.frames where there are two
    Job job;
    std::unique_ptr<Convolver> convolver;
    bool backward = false;  ///< the clip stands with its frames exchanged
};

/// Whether the task needs at most half of the free memory: then others may take turns with it.
bool fits_in_group(BenchSession& session, const Task& task);

/// What the turns have measured: milliseconds of each run.
struct Times {
    std::vector<double> kernel, total, copy_in, copy_out;
    std::vector<double> compute, exchange, wait;  ///< none if no ranks took part
};

/// What bench found out about one configuration.
struct BenchResult {
    Row words;  ///< the columns that hold no measured number
    std::optional<Statistics> kernel_ms = {}, total_ms = {};
    std::map<std::string, double> numbers = {};  ///< what else was measured, by its column
    std::optional<double> ceiling_share = {};    ///< rate / the rate of a copy or of the bus

    /// The kernel's time; the whole time of a variant whose run copies.
    const Statistics& time() const { return kernel_ms ? *kernel_ms : *total_ms; }
    Row row() const;
    /// For a person: the time with two percentiles, rate and share of a copy; "failed: ...".
    std::string text() const;
};

/// Measures one configuration, and makes its result.
class Measurement {
  public:
    /// Verifies. What cannot be done, and what is wrong, is a finished result.
    Measurement(BenchSession& session, const Task& task);

    /// Whether it takes turns: right so far, and on a machine that is timed.
    bool is_open() const { return prepared_ != nullptr && backend_.is_timed(); }
    /// The runs of a round, after those that warm up.
    void turn(int round);
    /// in_round: configurations that took turns with it, and itself.
    BenchResult finish(std::size_t in_round);

  private:
    /// Calls work(), which should take about expected_s; what it throws becomes status and reason,
    /// and the end of the turns.
    void attempt(double expected_s, const std::function<void()>& work);
    void end(const std::string& status, const std::string& reason);
    void verify();
    /// Adds the times of the timed runs to all_ms, with keeps_ranks also those of the ranks.
    void run(int round, const std::function<double()>& once_ms, std::vector<double>& all_ms,
             bool keeps_ranks);
    double kernel_ms();
    double whole_ms();  ///< of one frame, with its copies, on the host's clock
    /// Each by events: of the labs that compare frames.
    void time_copies(int round);
    void fill_rates(double ms);

    BenchSession& session_;
    const Task task_;
    Backend& backend_;
    BenchResult result_;
    std::unique_ptr<PreparedVariant> prepared_;  ///< none: the result is finished
    double once_s_ = 0;                          ///< what its first run took
    Times times_;                                ///< of the rounds so far
};

/// How many rows the options ask for: the same number on every machine.
std::size_t rows_of_bench(const Options& options);

struct BenchPlan {
    /// done: the rows that the file holds.
    BenchPlan(const Lab& lab, const Options& options, const Tasks& tasks,
              const std::vector<Row>& done);

    std::size_t left_out = 0;   ///< configurations without a time, where only_timed is asked for
    std::size_t all = 0;        ///< the others that were asked for
    std::vector<Task> pending;  ///< those that are not in the file, size by size
};

}  // namespace convolab
