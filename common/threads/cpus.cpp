// SPDX-License-Identifier: MIT
#include "common/threads/cpus.hpp"

#include <sched.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <map>
#include <set>
#include <sstream>
#include <thread>
#include <tuple>
#include <utility>

#include "common/base/error.hpp"

namespace convolab {
namespace {

std::vector<int> pins;      // empty: off
std::vector<int> unpinned;  // the CPUs before the first pin
int width = 0;              // CPUs that this thread may run on; 0: not pinned

cpu_set_t set_of(const std::vector<int>& cpus) {
    cpu_set_t set;
    CPU_ZERO(&set);
    for (const int cpu : cpus)
        if (cpu < CPU_SETSIZE) CPU_SET(cpu, &set);
    return set;
}

void run_on(const std::vector<int>& cpus) {
    const cpu_set_t set = set_of(cpus);
    if (sched_setaffinity(0, sizeof set, &set) != 0)
        throw Error("The threads cannot be pinned to CPUs: " + std::string(std::strerror(errno)) +
                    "; use --no-pinning (with make: PINNING=off).");
}

/// The smallest quota of a group and those above it, up to the root of the hierarchy.
std::optional<double> smallest_quota(const std::string& root, std::string group, bool is_v2) {
    std::optional<double> least;
    while (true) {
        double quota = 0, period = 0;
        std::istringstream limit(is_v2 ? line_of(root + group + "/cpu.max")
                                       : line_of(root + group + "/cpu.cfs_quota_us") + ' ' +
                                             line_of(root + group + "/cpu.cfs_period_us"));
        if (limit >> quota >> period && quota > 0 && period > 0)  // "max" and -1: no limit
            least = std::min(least.value_or(quota / period), quota / period);
        if (group.empty() || group == "/") return least;
        group.resize(group.find_last_of('/'));
    }
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

std::optional<double> cpu_quota(const std::string& process_groups, const std::string& folder) {
    std::optional<double> least;
    std::ifstream groups(process_groups);
    for (std::string line; std::getline(groups, line);) {  // "0::/a/b" or "4:cpu,cpuacct:/a/b"
        const std::size_t first = line.find(':'), second = line.find(':', first + 1);
        if (second == std::string::npos) continue;
        const std::string controllers = line.substr(first + 1, second - first - 1);
        const bool is_v2 = controllers.empty();
        if (!is_v2 && ("," + controllers + ",").find(",cpu,") == std::string::npos) continue;
        const std::string root = folder + (is_v2 ? "" : "/" + controllers);
        // In a container the group's own files stand at the root of what is mounted.
        for (const std::string& group : {line.substr(second + 1), std::string()})
            if (const auto quota = smallest_quota(root, group, is_v2))
                least = std::min(least.value_or(*quota), *quota);
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
    if (!unpinned.empty()) return unpinned;
    cpu_set_t set;
    CPU_ZERO(&set);
    std::vector<int> cpus;
    if (sched_getaffinity(0, sizeof set, &set) != 0) return cpus;
    for (int cpu = 0; cpu < CPU_SETSIZE; ++cpu)
        if (CPU_ISSET(cpu, &set)) cpus.push_back(cpu);
    return cpus;
}

void pin_threads(const std::vector<int>& cpus) {
    if (cpus.empty()) return unpin_threads();
    unpinned = allowed_cpus();
    pins = cpus;
    width = 0;
    run_on_first(1);
}

void run_on_first(int count) {
    if (pins.empty() || count == width) return;
    const auto size = std::min<std::ptrdiff_t>(count, std::ssize(pins));
    run_on({pins.begin(), pins.begin() + size});
    width = count;
}

void unpin_threads() {
    if (!pins.empty()) run_on(unpinned);
    pins.clear();
}

NotPinned::NotPinned() : before_(width) {
    if (pins.empty()) return;
    run_on(unpinned);
    width = 0;
}

NotPinned::~NotPinned() {
    if (!pins.empty()) run_on_first(before_);
}

void pin_member(std::size_t i) {
    if (!pins.empty()) run_on({pins[i % pins.size()]});
}

}  // namespace convolab
