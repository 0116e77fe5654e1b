// Copyright (c) 2026 The Convolab authors
// SPDX-License-Identifier: MIT
#include "common/threads/topology.hpp"

#include <algorithm>
#include <fstream>
#include <map>
#include <set>
#include <sstream>
#include <thread>
#include <tuple>
#include <utility>

#include "common/threads/pinning.hpp"

namespace convolab {
namespace {

std::string line_of(const std::string& path) {
    std::ifstream file(path);
    std::string line;
    std::getline(file, line);
    return line;
}

}  // namespace

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

int cpu_count() {
    const auto cpus = allowed_cpus();
    if (!cpus.empty()) return static_cast<int>(cpus.size());
    return std::max(1U, std::thread::hardware_concurrency());
}

int core_count() {
    const auto cpus = allowed_cpus();
    std::set<int> cores;
    for (const LogicalCpu& cpu : cpus_of_machine())
        if (std::find(cpus.begin(), cpus.end(), cpu.number) != cpus.end()) cores.insert(cpu.core);
    return cores.empty() ? cpu_count() : static_cast<int>(cores.size());
}

}  // namespace convolab
