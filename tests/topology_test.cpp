// SPDX-License-Identifier: MIT
// What the program reads about the machine, from folders like /sys and /proc made for the test.
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <limits>
#include <string>

#include "common/measurement/machine.hpp"
#include "common/threads/cpus.hpp"
#include "tests/catch.hpp"

using namespace convolab;
namespace fs = std::filesystem;

namespace {

/// Two sockets with two cores each, two CPUs per core: 0 and 4 share a core, as 1 and 5, 2 and 6 ..
class TwoSockets {
  public:
    TwoSockets() {
        write("sys/devices/system/cpu/online", "0-7");
        for (int cpu = 0; cpu < 8; ++cpu) {
            const std::string folder = "sys/devices/system/cpu/cpu" + std::to_string(cpu) + '/';
            const std::string first = std::to_string(cpu % 4);
            write(folder + "topology/thread_siblings_list",
                  first + ',' + std::to_string(cpu % 4 + 4));
            write(folder + "topology/physical_package_id", cpu % 4 < 2 ? "0" : "1");
        }
        cache(0, "1", "Data", "48K", "0,4");
        cache(1, "1", "Instruction", "32K", "0,4");
        cache(2, "3", "Unified", "32768K", "0-1,4-5");
        write("proc/cpuinfo",
              "processor\t: 0\ncpu MHz\t\t: 2599.998\nflags\t\t: fpu sse hypervisor");
        write("proc/sys/kernel/random/boot_id", "5b3a0e0d-6f0c-4f5e-9a55-3d0f7c2b9c11");
        write("proc/meminfo", "MemTotal:       16384 kB\nMemFree: 3 kB");
    }
    ~TwoSockets() { fs::remove_all(root_); }
    void write(const std::string& name, const std::string& text) const {
        fs::create_directories((root_ / name).parent_path());
        std::ofstream(root_ / name) << text << '\n';
    }
    void remove(const std::string& name) const { fs::remove_all(root_ / name); }
    std::string system() const { return (root_ / "sys").string(); }
    std::string processes() const { return (root_ / "proc").string(); }
    std::vector<LogicalCpu> cpus() const {
        return cpus_of_machine(system() + "/devices/system/cpu");
    }

  private:
    void cache(int index, const char* level, const char* type, const char* size,
               const char* shared) const {
        const std::string folder =
            "sys/devices/system/cpu/cpu0/cache/index" + std::to_string(index) + '/';
        write(folder + "level", level);
        write(folder + "type", type);
        write(folder + "size", size);
        write(folder + "shared_cpu_list", shared);
    }

    fs::path root_ = fs::temp_directory_path() / ("convolab_sys_" + std::to_string(::getpid()));
};

}  // namespace

TEST_CASE("a list of CPUs is read as Linux writes it") {
    CHECK(cpus_of_list("0-3,8") == std::vector<int>{0, 1, 2, 3, 8});
    CHECK(cpus_of_list("7") == std::vector<int>{7});
    for (const char* other : {"", "0-", "none", "1-x"}) CHECK(cpus_of_list(other).empty());
}

TEST_CASE("threads are pinned to one CPU of each core before a core gets a second") {
    const TwoSockets machine;
    const auto cpus = machine.cpus();
    REQUIRE(cpus.size() == 8);
    CHECK(pin_order({0, 1, 2, 3, 4, 5, 6, 7}, cpus) == std::vector<int>{0, 1, 2, 3, 4, 5, 6, 7});
    CHECK(pin_order({0, 2, 4, 5, 6}, cpus) == std::vector<int>{0, 5, 2, 4, 6});  // those allowed
    CHECK(pin_order({3, 1, 2}, {}) == std::vector<int>{3, 1, 2});
}

TEST_CASE("neighbouring CPUs that share a core are recognised") {
    const std::vector<LogicalCpu> cpus = {{0, 0, 0}, {1, 0, 0}, {2, 0, 2}, {3, 0, 2}};
    CHECK(pin_order({0, 1, 2, 3}, cpus) == std::vector<int>{0, 2, 1, 3});
}

TEST_CASE("a machine that does not show its cores has none") {
    const TwoSockets machine;
    machine.remove("sys/devices/system/cpu/cpu3/topology");
    CHECK(machine.cpus().empty());
    const Row row = machine_facts(machine.system(), machine.processes());
    CHECK_FALSE(row.contains("cores"));
    CHECK(cpus_of_machine("/nowhere").empty());
}

TEST_CASE("a container's quota of CPU time limits the number of CPUs") {
    const TwoSockets machine;
    const auto quota = [&] {
        return cpu_quota(machine.processes() + "/self/cgroup", machine.system() + "/fs/cgroup");
    };
    CHECK_FALSE(quota());
    machine.write("proc/self/cgroup", "0::/user/job");
    CHECK_FALSE(quota());
    machine.write("sys/fs/cgroup/user/job/cpu.max", "max 100000");
    CHECK_FALSE(quota());
    machine.write("sys/fs/cgroup/user/cpu.max", "250000 100000");  // the quota of a group above it
    CHECK(quota() == 2.5);
    machine.write("sys/fs/cgroup/user/job/cpu.max", "50000 100000");
    CHECK(quota() == 0.5);
    machine.write("proc/self/cgroup", "0::/not/mounted/here");
    CHECK_FALSE(quota());
    machine.write("sys/fs/cgroup/cpu.max", "150000 100000");  // a container sees its own group here
    CHECK(quota() == 1.5);

    machine.write("proc/self/cgroup", "5:memory:/a\n4:cpu,cpuacct:/a");
    CHECK_FALSE(quota());
    machine.write("sys/fs/cgroup/cpu,cpuacct/a/cpu.cfs_quota_us", "-1");
    machine.write("sys/fs/cgroup/cpu,cpuacct/a/cpu.cfs_period_us", "100000");
    CHECK_FALSE(quota());
    machine.write("sys/fs/cgroup/cpu,cpuacct/a/cpu.cfs_quota_us", "300000");
    CHECK(quota() == 3.0);
}

TEST_CASE("the memory that a container or a job may still take is read from its groups") {
    const TwoSockets machine;
    constexpr std::int64_t kNoLimit = std::numeric_limits<std::int64_t>::max();
    const auto free = [&] {
        return memory_free_in_groups(machine.processes() + "/self/cgroup",
                                     machine.system() + "/fs/cgroup");
    };
    CHECK(free() == kNoLimit);
    machine.write("proc/self/cgroup", "0::/slurm/job_7/step_0");
    machine.write("sys/fs/cgroup/slurm/job_7/step_0/memory.max", "max");
    machine.write("sys/fs/cgroup/slurm/job_7/step_0/memory.current", "100");
    CHECK(free() == kNoLimit);
    machine.write("sys/fs/cgroup/slurm/job_7/memory.max", "5000");  // of a group above it
    machine.write("sys/fs/cgroup/slurm/job_7/memory.current", "1000");
    CHECK(free() == 4000);
    machine.write("sys/fs/cgroup/slurm/job_7/memory.stat", "anon 900\ninactive_file 100");
    CHECK(free() == 4100);
    machine.write("sys/fs/cgroup/memory.max", "3000");  // a container sees its own group here
    machine.write("sys/fs/cgroup/memory.current", "4000");
    CHECK(free() == 0);

    machine.write("proc/self/cgroup", "5:cpu:/a\n4:memory:/a");
    CHECK(free() == kNoLimit);
    machine.write("sys/fs/cgroup/memory/a/memory.limit_in_bytes", "9000");
    machine.write("sys/fs/cgroup/memory/a/memory.usage_in_bytes", "2000");
    machine.write("sys/fs/cgroup/memory/a/memory.stat", "total_inactive_file 500");
    CHECK(free() == 7500);
}

TEST_CASE("the last-level caches are counted, each once") {
    const TwoSockets machine;
    const auto bytes = [&] { return last_cache_bytes(machine.system() + "/devices/system/cpu"); };
    CHECK(bytes() == 32 << 20);  // those of the CPUs that show any
    for (const int cpu : {1, 2, 3}) {
        const std::string cache =
            "sys/devices/system/cpu/cpu" + std::to_string(cpu) + "/cache/index0/";
        machine.write(cache + "level", "3");
        machine.write(cache + "size", "32768K");
        machine.write(cache + "shared_cpu_list", cpu < 2 ? "0-1,4-5" : "2-3,6-7");
    }
    CHECK(bytes() == 64 << 20);
    CHECK(last_cache_bytes("/nowhere") == 0);
}

TEST_CASE("the machine's facts are read from its files") {
    const TwoSockets machine;
    Row row = machine_facts(machine.system(), machine.processes());
    CHECK(row["boot"] == "5b3a0e0d");
    CHECK(row["sockets"] == "2");
    CHECK(row["cores"] == "4");
    CHECK(row["threads_per_core"] == "2");
    CHECK(row["caches"] == "L1d 48K for 2 CPUs, L1i 32K for 2 CPUs, L3 32768K for 4 CPUs");
    CHECK(row["ram_bytes"] == "16777216");
    CHECK(row["virtual_machine"] == "1");
    CHECK(row["cpu_mhz"] == "2599.998");
    CHECK(row["governor"] == "not shown");
    CHECK(row["turbo"] == "not shown");

    machine.write("sys/devices/system/cpu/cpu0/cpufreq/scaling_governor", "performance");
    machine.write("sys/devices/system/cpu/cpu0/cpufreq/scaling_cur_freq", "3100500");
    machine.write("sys/devices/system/cpu/intel_pstate/no_turbo", "1");
    machine.write("proc/cpuinfo", "flags\t\t: fpu sse");
    row = machine_facts(machine.system(), machine.processes());
    CHECK(row["virtual_machine"] == "0");
    CHECK(row["cpu_mhz"] == "3100.5");
    CHECK(row["governor"] == "performance");
    CHECK(row["turbo"] == "off");

    row = machine_facts("/nowhere", "/nowhere");
    CHECK(row["boot"] == "not shown");
    CHECK(row["caches"] == "not shown");
    CHECK_FALSE(row.contains("ram_bytes"));
    CHECK_FALSE(row.contains("virtual_machine"));
}
