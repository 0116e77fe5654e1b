// SPDX-License-Identifier: MIT
// lab bench: one configuration, from its first verification to its statistics and its row.
#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "common/driver/options.hpp"
#include "common/driver/tasks.hpp"
#include "common/measurement/csv.hpp"
#include "common/measurement/machine.hpp"
#include "common/measurement/statistics.hpp"
#include "common/threads/cpus.hpp"
#include "common/variant/convolver.hpp"

namespace convolab {

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
    const std::string gpu_uuid = lab.backend->gpu_uuid();
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
    /// Whether its rate is compared with a copy by the CPU's cores.
    bool needs_cpu_copy() const { return backend_.name() == "cpu" && !task_.variant->run_copies; }
    /// in_round: configurations that took turns with it, and itself. copy: the CPU's in these turns.
    BenchResult finish(std::size_t in_round, const std::optional<CopySpeed>& copy = {});

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
    void fill_rates(double ms, const std::optional<CopySpeed>& copy);

    BenchSession& session_;
    const Task task_;
    Backend& backend_;
    BenchResult result_;
    std::unique_ptr<PreparedVariant> prepared_;  ///< none: the result is finished
    double once_s_ = 0;                          ///< what its first run took
    Times times_;                                ///< of the rounds so far
};

}  // namespace convolab
