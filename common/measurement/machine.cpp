// Copyright (c) 2026 The Convolab authors
// SPDX-License-Identifier: MIT
#include "common/measurement/machine.hpp"

#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <ctime>
#include <fstream>
#include <limits>

#include "common/base/error.hpp"
#include "common/measurement/csv.hpp"
#include "common/threads/topology.hpp"

namespace convolab {
namespace {

constexpr std::int64_t kUnknown = std::numeric_limits<std::int64_t>::max();

std::int64_t number_in(const std::string& path) {
    std::ifstream file(path);
    std::int64_t value = 0;
    return file >> value ? value : kUnknown;  // "max" is not a number either
}

std::int64_t meminfo_available() {
    std::ifstream file("/proc/meminfo");
    std::string word;
    std::int64_t kib = 0;
    while (file >> word)
        if (word == "MemAvailable:" && file >> kib) return kib * 1024;
    return kUnknown;
}

/// What the cgroup still allows; file pages it can drop count as free.
std::int64_t cgroup_available() {
    const std::int64_t limit = number_in("/sys/fs/cgroup/memory.max");
    const std::int64_t used = number_in("/sys/fs/cgroup/memory.current");
    if (limit == kUnknown || used == kUnknown) return kUnknown;
    std::ifstream stat("/sys/fs/cgroup/memory.stat");
    std::string word;
    std::int64_t value = 0;
    std::int64_t inactive_file = 0;
    while (stat >> word >> value)
        if (word == "inactive_file") inactive_file = value;
    return std::max<std::int64_t>(0, limit - used + inactive_file);
}

}  // namespace

std::string cpu_model() {
    std::ifstream file("/proc/cpuinfo");
    std::string line;
    while (std::getline(file, line))
        if (line.rfind("model name", 0) == 0) {
            const auto colon = line.find(": ");
            if (colon != std::string::npos) return line.substr(colon + 2);
        }
    return "unknown CPU";
}

int started_ranks() {
    const auto number = [](const char* name) {
        const char* text = std::getenv(name);
        return text ? std::atoi(text) : 0;
    };
    // Open MPI's mpirun; srun --mpi=pmi2; srun --mpi=pmix, which gives the number to MPI_Init only.
    if (const int ranks = number("OMPI_COMM_WORLD_SIZE"); ranks > 0) return ranks;
    if (const int ranks = number("PMI_SIZE"); ranks > 0) return ranks;
    return std::getenv("PMIX_RANK") ? number("SLURM_NTASKS") : 0;
}

std::string machine_name() {
    const long n = sysconf(_SC_NPROCESSORS_ONLN);  // the machine's, also where taskset allows fewer
    const auto quota = cpu_quota();                // rows under a quota are another machine's
    return cpu_model() + ", " + std::to_string(n) + (n == 1 ? " CPU" : " CPUs") +
           (quota ? " (quota " + to_digits(*quota, 2) + ")" : "");
}

std::int64_t memory_free() {
    const char* text = std::getenv("CONVOLAB_MEMORY_FREE");
    if (text != nullptr && *text != '\0') {
        char* end = nullptr;
        const std::int64_t bytes = std::strtoll(text, &end, 10);
        if (*end != '\0' || bytes < 0)
            throw UsageError("CONVOLAB_MEMORY_FREE is '" + std::string(text) +
                             "'; it takes a number of bytes.");
        return bytes;
    }
    return std::min(meminfo_available(), cgroup_available());
}

std::string utc_now() {
    const std::time_t now = std::time(nullptr);
    std::tm utc{};
    gmtime_r(&now, &utc);
    char text[32];
    std::strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &utc);
    return text;
}

}  // namespace convolab
