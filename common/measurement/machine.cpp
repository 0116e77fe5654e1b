// SPDX-License-Identifier: MIT
#include "common/measurement/machine.hpp"

#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <ctime>
#include <fstream>
#include <limits>
#include <map>
#include <set>
#include <sstream>

#include "common/base/error.hpp"
#include "common/measurement/csv.hpp"
#include "common/threads/cpus.hpp"

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

std::string or_not_shown(const std::string& text) { return text.empty() ? kNotShown : text; }

/// What stands behind the colon in the first line of a file that begins with `name`.
std::string value_of(const std::string& path, const std::string& name) {
    std::ifstream file(path);
    std::string line;
    while (std::getline(file, line)) {
        const auto colon = line.find(':');
        if (colon == std::string::npos || line.rfind(name, 0) != 0) continue;
        const auto first = line.find_first_not_of(" \t", colon + 1);
        return first == std::string::npos ? "" : line.substr(first);
    }
    return "";
}

/// "L1d 48K for 2 CPUs, L2 2048K for 2 CPUs": those of the first CPU.
std::string caches(const std::string& cpu) {
    std::string all;
    for (int index = 0;; ++index) {
        const std::string cache = cpu + "/cache/index" + std::to_string(index) + '/';
        const std::string type = line_of(cache + "type");
        if (type.empty()) return or_not_shown(all);
        const auto sharing = cpus_of_list(line_of(cache + "shared_cpu_list")).size();
        all += (all.empty() ? "L" : ", L") + line_of(cache + "level") +
               (type == "Data"          ? "d "
                : type == "Instruction" ? "i "
                                        : " ") +
               line_of(cache + "size") + " for " + std::to_string(sharing) +
               (sharing == 1 ? " CPU" : " CPUs");
    }
}

std::string clock_mhz(const std::string& cpu, const std::string& cpuinfo) {
    std::int64_t khz = 0;
    if (std::ifstream(cpu + "/cpufreq/scaling_cur_freq") >> khz)
        return to_decimal(static_cast<double>(khz) / 1e3);
    return value_of(cpuinfo, "cpu MHz");
}

std::string turbo(const std::string& cpus) {
    const std::string off = line_of(cpus + "/intel_pstate/no_turbo");
    if (!off.empty()) return off == "0" ? "on" : "off";
    const std::string on = line_of(cpus + "/cpufreq/boost");
    if (!on.empty()) return on == "0" ? "off" : "on";
    return kNotShown;
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
    return std::min(meminfo_available(), memory_free_in_groups());
}

std::int64_t memory_free_in_groups(const std::string& process_groups, const std::string& folder) {
    std::int64_t least = kUnknown;
    for (const auto& [group, is_v2] : control_groups("memory", process_groups, folder)) {
        const std::int64_t limit =
            number_in(group + (is_v2 ? "/memory.max" : "/memory.limit_in_bytes"));
        const std::int64_t used =
            number_in(group + (is_v2 ? "/memory.current" : "/memory.usage_in_bytes"));
        if (limit == kUnknown || used == kUnknown) continue;
        std::ifstream stat(group + "/memory.stat");
        std::string word;
        std::int64_t value = 0, files = 0;  // pages of files that can be dropped count as free
        while (stat >> word >> value)
            if (word == (is_v2 ? "inactive_file" : "total_inactive_file")) files = value;
        least = std::min(least, std::max<std::int64_t>(0, limit - used + files));
    }
    return least;
}

std::int64_t last_cache_bytes(const std::string& cpus) {
    std::map<std::string, std::int64_t> caches;  // by the CPUs that share them
    for (const int cpu : cpus_of_list(line_of(cpus + "/online"))) {
        std::string shared, size;
        for (int index = 0, highest = 0;; ++index) {
            const std::string cache =
                cpus + "/cpu" + std::to_string(cpu) + "/cache/index" + std::to_string(index) + '/';
            int level = 0;
            if (!(std::ifstream(cache + "level") >> level)) break;
            if (level < highest) continue;
            highest = level;
            shared = line_of(cache + "shared_cpu_list");
            size = line_of(cache + "size");
        }
        std::int64_t kib = 0;
        if (std::istringstream(size) >> kib) caches[shared] = kib * 1024;
    }
    std::int64_t sum = 0;
    for (const auto& [shared, bytes] : caches) sum += bytes;
    return sum;
}

std::string utc_now() {
    const std::time_t now = std::time(nullptr);
    std::tm utc{};
    gmtime_r(&now, &utc);
    char text[32];
    std::strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &utc);
    return text;
}

Row machine_facts(const std::string& system, const std::string& processes) {
    const std::string cpus = system + "/devices/system/cpu";
    const std::string cpuinfo = processes + "/cpuinfo";
    Row row;
    row["boot"] = or_not_shown(line_of(processes + "/sys/kernel/random/boot_id").substr(0, 8));
    std::set<int> sockets, cores;
    const auto all = cpus_of_machine(cpus);
    for (const LogicalCpu& cpu : all) {
        sockets.insert(cpu.socket);
        cores.insert(cpu.core);
    }
    if (!all.empty()) {
        row["sockets"] = std::to_string(sockets.size());
        row["cores"] = std::to_string(cores.size());
        row["threads_per_core"] = std::to_string(all.size() / cores.size());
    }
    row["caches"] = caches(cpus + "/cpu0");
    std::int64_t kib = 0;
    if (std::istringstream(value_of(processes + "/meminfo", "MemTotal")) >> kib)
        row["ram_bytes"] = std::to_string(kib * 1024);
    const std::string flags = ' ' + value_of(cpuinfo, "flags") + ' ';
    if (flags.size() > 2)
        row["virtual_machine"] = flags.find(" hypervisor ") == std::string::npos ? "0" : "1";
    row["cpu_mhz"] = clock_mhz(cpus + "/cpu0", cpuinfo);
    row["governor"] = or_not_shown(line_of(cpus + "/cpu0/cpufreq/scaling_governor"));
    row["turbo"] = turbo(cpus);
    return row;
}

}  // namespace convolab
