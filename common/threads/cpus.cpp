// SPDX-License-Identifier: MIT
#include "common/threads/cpus.hpp"

#include <sched.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <map>
#include <new>
#include <set>
#include <sstream>
#include <thread>
#include <tuple>
#include <utility>

#include "common/base/error.hpp"

namespace convolab {
namespace {

/// What pin_threads() has set, of the whole process.
struct Pinning {
    std::vector<int> cpus;      ///< empty: off
    std::vector<int> unpinned;  ///< the CPUs before the first pin
    int width = 0;  ///< how many of them the thread that calls may run on; 0: not pinned
};
Pinning pinning;

/// As large as the caller says: the system's own type ends at 1024 CPUs.
class CpuSet {
  public:
    explicit CpuSet(int cpus) : set_(CPU_ALLOC(cpus)), bytes_(CPU_ALLOC_SIZE(cpus)) {
        if (set_ == nullptr) throw std::bad_alloc();
        CPU_ZERO_S(bytes_, set_);
    }
    ~CpuSet() { CPU_FREE(set_); }
    CpuSet(const CpuSet&) = delete;
    CpuSet& operator=(const CpuSet&) = delete;

    cpu_set_t* get() const { return set_; }
    std::size_t bytes() const { return bytes_; }

  private:
    cpu_set_t* set_;
    std::size_t bytes_;
};

void run_on(const std::vector<int>& cpus) {
    const CpuSet set(*std::max_element(cpus.begin(), cpus.end()) + 1);
    for (const int cpu : cpus) CPU_SET_S(cpu, set.bytes(), set.get());
    if (sched_setaffinity(0, set.bytes(), set.get()) != 0)
        throw Error("The threads cannot be pinned to CPUs: " + std::string(std::strerror(errno)) +
                    "; use --no-pinning (with make: PINNING=off).");
}

int within_quota(int cpus) {
    const auto quota = cpu_quota();
    return quota ? std::clamp(static_cast<int>(*quota), 1, cpus) : cpus;
}

}  // namespace

std::string line_of(const std::string& path) {
    std::ifstream file(path);
    std::string line;
    std::getline(file, line);
    return line;
}

std::vector<int> cpus_of_list(const std::string& text) {
    std::vector<int> cpus;
    std::istringstream list(text);
    std::string item;
    while (std::getline(list, item, ',')) {
        int first = 0;
        char dash = 0;
        std::istringstream range(item);
        if (!(range >> first)) return {};
        int last = first;
        if (range >> dash && (dash != '-' || !(range >> last))) return {};
        for (int cpu = first; cpu <= last; ++cpu) cpus.push_back(cpu);
    }
    return cpus;
}

std::vector<LogicalCpu> cpus_of_machine(const std::string& folder) {
    std::vector<LogicalCpu> cpus;
    for (const int number : cpus_of_list(line_of(folder + "/online"))) {
        const std::string topology = folder + "/cpu" + std::to_string(number) + "/topology/";
        const auto siblings = cpus_of_list(line_of(topology + "thread_siblings_list"));
        int socket = 0;
        if (siblings.empty() || !(std::ifstream(topology + "physical_package_id") >> socket))
            return {};
        cpus.push_back({number, socket, *std::min_element(siblings.begin(), siblings.end())});
    }
    return cpus;
}

std::vector<int> pin_order(std::vector<int> allowed, const std::vector<LogicalCpu>& cpus) {
    std::map<int, LogicalCpu> known;
    for (const LogicalCpu& cpu : cpus) known[cpu.number] = cpu;
    std::map<int, int> used;                                // CPUs taken so far, by core
    std::map<int, std::tuple<int, int, int>> place_of_cpu;  // turn of its core, socket, number
    for (const int number : allowed) {
        const auto found = known.find(number);
        if (found == known.end()) return allowed;
        place_of_cpu[number] = {used[found->second.core]++, found->second.socket, number};
    }
    std::sort(allowed.begin(), allowed.end(),
              [&](int a, int b) { return place_of_cpu[a] < place_of_cpu[b]; });
    return allowed;
}

std::vector<ControlGroup> control_groups(const std::string& controller,
                                         const std::string& process_groups,
                                         const std::string& folder) {
    std::vector<ControlGroup> all;
    std::ifstream groups(process_groups);
    for (std::string line; std::getline(groups, line);) {  // "0::/a/b" or "4:cpu,cpuacct:/a/b"
        const std::size_t first = line.find(':'), second = line.find(':', first + 1);
        if (second == std::string::npos) continue;
        const std::string controllers = line.substr(first + 1, second - first - 1);
        const bool is_v2 = controllers.empty();
        if (!is_v2 && ("," + controllers + ",").find("," + controller + ",") == std::string::npos)
            continue;
        // In a container the group's own files stand at the root of what is mounted.
        const std::string root = folder + (is_v2 ? "" : "/" + controllers);
        for (std::string group = line.substr(second + 1); group.size() > 1;
             group.resize(group.find_last_of('/')))
            all.push_back({root + group, is_v2});
        all.push_back({root, is_v2});
    }
    return all;
}

std::optional<double> cpu_quota(const std::string& process_groups, const std::string& folder) {
    std::optional<double> least;
    for (const auto& [group, is_v2] : control_groups("cpu", process_groups, folder)) {
        double quota = 0, period = 0;
        std::istringstream limit(is_v2 ? line_of(group + "/cpu.max")
                                       : line_of(group + "/cpu.cfs_quota_us") + ' ' +
                                             line_of(group + "/cpu.cfs_period_us"));
        if (limit >> quota >> period && quota > 0 && period > 0)  // "max" and -1: no limit
            least = std::min(least.value_or(quota / period), quota / period);
    }
    return least;
}

int cpu_count() {
    const auto cpus = allowed_cpus();
    if (!cpus.empty()) return within_quota(static_cast<int>(cpus.size()));
    return within_quota(static_cast<int>(std::max(1U, std::thread::hardware_concurrency())));
}

int core_count() {
    const auto cpus = allowed_cpus();
    std::set<int> cores;
    for (const LogicalCpu& cpu : cpus_of_machine())
        if (std::find(cpus.begin(), cpus.end(), cpu.number) != cpus.end()) cores.insert(cpu.core);
    return cores.empty() ? cpu_count() : within_quota(static_cast<int>(cores.size()));
}

std::vector<int> allowed_cpus() {
    if (!pinning.unpinned.empty()) return pinning.unpinned;
    std::vector<int> cpus;
    for (int size = CPU_SETSIZE; size <= 1 << 20; size *= 2) {
        const CpuSet set(size);
        if (sched_getaffinity(0, set.bytes(), set.get()) != 0) {
            if (errno == EINVAL) continue;  // the machine has more
            break;
        }
        for (int cpu = 0; cpu < size; ++cpu)
            if (CPU_ISSET_S(cpu, set.bytes(), set.get())) cpus.push_back(cpu);
        break;
    }
    return cpus;
}

void pin_threads(const std::vector<int>& cpus) {
    if (cpus.empty()) return unpin_threads();
    pinning = {cpus, allowed_cpus(), 0};
    run_on_first(1);
}

void run_on_first(int count) {
    const std::vector<int>& cpus = pinning.cpus;
    if (cpus.empty() || count == pinning.width) return;
    run_on({cpus.begin(), cpus.begin() + std::min<std::ptrdiff_t>(count, std::ssize(cpus))});
    pinning.width = count;
}

void unpin_threads() {
    if (!pinning.cpus.empty()) run_on(pinning.unpinned);
    pinning.cpus.clear();
}

NotPinned::NotPinned() : before_(pinning.width) {
    if (pinning.cpus.empty()) return;
    run_on(pinning.unpinned);
    pinning.width = 0;
}

NotPinned::~NotPinned() {
    if (!pinning.cpus.empty()) run_on_first(before_);
}

void pin_member(std::size_t i) {
    if (!pinning.cpus.empty()) run_on({pinning.cpus[i % pinning.cpus.size()]});
}

}  // namespace convolab
