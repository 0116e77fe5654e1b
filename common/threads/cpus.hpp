// SPDX-License-Identifier: MIT
// How many CPUs there are, and which are on which core of which socket, as /sys shows it. And
// threads that stay where they are while bench measures, no two on one core as long as there are
// cores left. Each thread of a ThreadTeam has its own CPU. Threads that are created in the timed
// run share as many CPUs as there are threads: to pin each makes no difference
// (results/reference/README.md).
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace convolab {

/// The first line of a file; empty without a file.
std::string line_of(const std::string& path);
/// "0-3,8" as 0, 1, 2, 3, 8; empty for anything else.
std::vector<int> cpus_of_list(const std::string& text);

struct LogicalCpu {
    int number;
    int socket;
    int core;  ///< its first CPU's number: two CPUs with the same core share it
};

/// All CPUs that are online; empty if the machine does not show its cores.
std::vector<LogicalCpu> cpus_of_machine(const std::string& folder = "/sys/devices/system/cpu");

/// `allowed` in the order in which threads are pinned: one CPU of each core, socket by socket, then
/// the second CPU of each core, and so on. Without cores: as they are.
std::vector<int> pin_order(std::vector<int> allowed, const std::vector<LogicalCpu>& cpus);

/// A control group, or the mounted root, as a folder.
struct ControlGroup {
    std::string folder;
    bool is_v2;
};

/// The groups that limit this process by `controller` (cpu, memory), and those above them, up to
/// the root. processes, folder: as the next one's.
std::vector<ControlGroup> control_groups(const std::string& controller,
                                         const std::string& process_groups,
                                         const std::string& folder);

/// How many CPUs' time the control groups of this process allow, as a container or a job limits
/// it (cgroup v2 `cpu.max`, v1 `cpu.cfs_quota_us`); nothing without a limit.
std::optional<double> cpu_quota(const std::string& process_groups = "/proc/self/cgroup",
                                const std::string& folder = "/sys/fs/cgroup");

/// CPUs this process may run on (its affinity mask), as many as its quota pays for; at least 1.
int cpu_count();
/// Physical cores among them; all of them if the machine does not show its cores.
int core_count();

/// CPUs that this process may run on, whether or not this thread is pinned now.
std::vector<int> allowed_cpus();

/// From now on member i of a new ThreadTeam runs on cpus[i % size] only, and this thread on the
/// first. Throws Error if the system does not allow it.
void pin_threads(const std::vector<int>& cpus);
/// This thread and those created from now on run wherever the process may.
void unpin_threads();
/// Called by member i of a new ThreadTeam.
void pin_member(std::size_t i);
/// Where threads are pinned: this thread, and those that it creates, run on the first `count` of
/// the CPUs. A call that changes nothing costs nothing.
void run_on_first(int count);

/// For the length of a scope this thread, and those that it creates, run wherever the process may.
class NotPinned {
  public:
    NotPinned();
    ~NotPinned();
    NotPinned(const NotPinned&) = delete;
    NotPinned& operator=(const NotPinned&) = delete;

  private:
    int before_;
};

}  // namespace convolab
