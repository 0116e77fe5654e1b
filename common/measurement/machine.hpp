// SPDX-License-Identifier: MIT
// What a row says about the machine and the program that made it.
#pragma once

#include <cstdint>
#include <string>

#include "common/measurement/csv.hpp"

namespace convolab {

/// "AMD EPYC, 2 CPUs": the processor's model and the machine's CPUs, whatever taskset leaves to
/// this process. Two rows with the same name come from the same kind of machine.
std::string machine_name();
std::string cpu_model();
/// Ranks that mpirun or srun has started, this one among them; 0: neither has started this program.
int started_ranks();
/// Bytes that can be allocated without swapping: the least of MemAvailable and the cgroup's limits;
/// CONVOLAB_MEMORY_FREE overrides it. INT64_MAX where the system does not tell.
std::int64_t memory_free();
/// What the control groups of this process, and those above them, still allow of that (cgroup v2
/// `memory.max`, v1 `memory.limit_in_bytes`): a container's limit, or that of a job under Slurm.
/// INT64_MAX without a limit.
std::int64_t memory_free_in_groups(const std::string& process_groups = "/proc/self/cgroup",
                                   const std::string& folder = "/sys/fs/cgroup");
/// All last-level caches of the machine together; 0 if it does not show them.
std::int64_t last_cache_bytes(const std::string& cpus = "/sys/devices/system/cpu");
/// "2026-11-21T10:15:00Z"
std::string utc_now();

/// Of this program, fixed when it was linked (common/measurement/build_info.cpp).
struct BuildInfo {
    std::string compiler;  ///< "g++ 12.2.0"
    std::string flags;
    std::string build;  ///< hash of the object code: changes whenever the code does
    std::string revision;
    bool dirty = false;  ///< sources differed from that revision
};
const BuildInfo& build_info();

/// What a row says about the machine beyond its name: the columns boot to turbo. A value that the
/// system does not show is "not shown" in a column of words, and empty in a column of numbers.
/// system, processes: other folders than /sys and /proc, for tests.
Row machine_facts(const std::string& system = "/sys", const std::string& processes = "/proc");

inline constexpr const char* kNotShown = "not shown";

}  // namespace convolab
