// SPDX-License-Identifier: MIT
// Whether something outside this program took part of the CPUs' time during a turn of bench.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace convolab {

/// Readings of the CPUs that a turn uses. Values that the machine does not show are absent.
struct CpuReading {
    double at_s = 0;  ///< on a clock of any origin
    std::optional<double> stolen_s =
        {};                          ///< time that the host gave to others (/proc/stat, "steal")
    std::int64_t switches = 0;       ///< threads of this process that had to make room for others
    std::int64_t created = 0;        ///< threads that the program has created
    std::optional<double> mhz = {};  ///< the slowest clock
};

/// Whether the turn between two readings counts as disturbed: over 1 % of its time stolen; over one
/// switch and 10 more per second and thread, where each thread has a CPU, not counting two for each
/// thread created in between, which takes the place of the one that creates it; or a clock below
/// 95 % of best_mhz.
bool is_disturbed(const CpuReading& before, const CpuReading& after, int threads, int cpus,
                  double best_mhz);

/// Threads that this program has created since it began: by pthread_create(), std::thread, OpenMP.
std::int64_t created_threads();

/// Watches CPUs. system, processes: other folders than /sys and /proc, for tests.
class CpuWatch {
  public:
    explicit CpuWatch(std::vector<int> cpus, std::string system = "/sys",
                      std::string processes = "/proc");

    /// A turn of this many threads, on the first of the CPUs, begins.
    void start(int threads);
    /// Since start().
    bool was_disturbed();
    /// "stolen time, switches; not shown: CPU clock"
    std::string watched() const;

  private:
    CpuReading read() const;
    std::optional<double> stolen_s() const;
    std::optional<double> mhz() const;

    std::vector<int> cpus_;
    std::string system_, processes_;
    int threads_ = 1;
    CpuReading before_;
    double best_mhz_ = 0;
};

}  // namespace convolab
