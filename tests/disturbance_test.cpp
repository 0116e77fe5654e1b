// SPDX-License-Identifier: MIT
// What counts as a disturbance, tested with made-up readings and a made-up /proc and /sys.
#include "common/measurement/disturbance.hpp"

#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "tests/catch.hpp"

using namespace convolab;
namespace fs = std::filesystem;

namespace {

/// One second on 4 CPUs, in which `change` happened.
bool disturbs(const CpuReading& change, int threads) {
    const CpuReading before{100, change.stolen_s ? std::optional{7.0} : std::nullopt, 1000, 50, {}};
    CpuReading after{101, {}, 1000 + change.switches, 50 + change.created, change.mhz};
    if (change.stolen_s) after.stolen_s = 7.0 + *change.stolen_s;
    return is_disturbed(before, after, threads, 4, 3000);
}

class Folder {
  public:
    ~Folder() { fs::remove_all(root_); }
    void write(const std::string& name, const std::string& text) const {
        fs::create_directories((root_ / name).parent_path());
        std::ofstream(root_ / name) << text;
    }
    /// Of CPUs 0, 1 and 2, in ticks.
    void stolen(int first, int second, int third) const {
        const auto line = [](const std::string& name, int ticks) {
            return name + " 10 20 30 40 50 60 70 " + std::to_string(ticks) + " 0 0\n";
        };
        write("proc/stat", line("cpu", first + second + third) + line("cpu0", first) +
                               line("cpu1", second) + line("cpu2", third) + "intr 5\n");
    }
    void clock(int cpu, int khz) const {
        write("sys/devices/system/cpu/cpu" + std::to_string(cpu) + "/cpufreq/scaling_cur_freq",
              std::to_string(khz));
    }
    CpuWatch watch(std::vector<int> cpus) const {
        return CpuWatch(std::move(cpus), (root_ / "sys").string(), (root_ / "proc").string());
    }

  private:
    fs::path root_ = fs::temp_directory_path() / ("convolab_watch_" + std::to_string(::getpid()));
};

}  // namespace

TEST_CASE("time stolen by the host disturbs if it is one per cent or more") {
    CHECK_FALSE(disturbs({.stolen_s = 0.0}, 1));
    CHECK_FALSE(disturbs({.stolen_s = 0.01}, 1));
    CHECK(disturbs({.stolen_s = 0.02}, 1));
    CHECK_FALSE(disturbs({.stolen_s = 0.02}, 2));  // out of two CPUs' seconds
    CHECK(disturbs({.stolen_s = 0.05}, 16));       // out of four, because there are no more
}

TEST_CASE("making room for others disturbs, unless there are more threads than CPUs") {
    CHECK_FALSE(disturbs({.switches = 11}, 1));
    CHECK(disturbs({.switches = 12}, 1));
    CHECK_FALSE(disturbs({.switches = 41}, 4));
    CHECK(disturbs({.switches = 42}, 4));
    CHECK_FALSE(disturbs({.switches = 5000}, 5));
    CHECK_FALSE(disturbs({.switches = 31, .created = 10}, 1));  // threads made in the run
    CHECK(disturbs({.switches = 32, .created = 10}, 1));
}

TEST_CASE("a clock below its best disturbs") {
    CHECK_FALSE(disturbs({.mhz = 2900}, 1));
    CHECK(disturbs({.mhz = 2800}, 1));
}

TEST_CASE("only the CPUs of the turn's threads are watched") {
    const Folder machine;
    CpuWatch watch = machine.watch({1, 2, 0});
    bool is_calm = false;
    for (int i = 0; i < 10 && !is_calm; ++i) {  // the switches of a busy machine disturb some turns
        machine.stolen(5, 5, 5);
        watch.start(1);
        machine.stolen(500, 5, 500);
        is_calm = !watch.was_disturbed();
    }
    CHECK(is_calm);
    machine.stolen(500, 500, 500);
    CHECK(watch.was_disturbed());
    watch.start(2);
    machine.stolen(500, 500, 1000);
    CHECK(watch.was_disturbed());
}

TEST_CASE("a clock is compared with the best of all turns") {
    const Folder machine;
    machine.stolen(0, 0, 0);
    machine.clock(0, 2000000);
    CpuWatch watch = machine.watch({0});
    watch.start(2);  // more threads than CPUs: switches, which a busy machine makes, do not count
    CHECK_FALSE(watch.was_disturbed());
    machine.clock(0, 3000000);
    CHECK_FALSE(watch.was_disturbed());
    machine.clock(0, 2000000);
    CHECK(watch.was_disturbed());
}

TEST_CASE("what the machine does not show is named") {
    const Folder machine;
    CHECK(machine.watch({0}).watched() == "switches; not shown: stolen time, CPU clock");
    machine.stolen(0, 0, 0);
    CHECK(machine.watch({0}).watched() == "stolen time, switches; not shown: CPU clock");
    machine.clock(0, 2000000);
    CHECK(machine.watch({0}).watched() == "stolen time, switches, CPU clock");
    machine.write("proc/stat", "cpu0 1 2 3\n");  // a kernel without the eighth number
    CHECK(machine.watch({0}).watched() == "switches, CPU clock; not shown: stolen time");
}
