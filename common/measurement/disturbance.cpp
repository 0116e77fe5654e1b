// SPDX-License-Identifier: MIT
#include "common/measurement/disturbance.hpp"

#include <dlfcn.h>
#include <pthread.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <fstream>
#include <sstream>
#include <utility>

namespace convolab {
namespace {

constexpr double kStolenShare = 0.01;
constexpr double kSwitchesPerSecond = 10;  // of a thread
constexpr double kLeastClock = 0.95;

std::atomic<std::int64_t> created{0};

}  // namespace

std::int64_t created_threads() { return created; }

bool is_disturbed(const CpuReading& before, const CpuReading& after, int threads, int cpus,
                  double best_mhz) {
    const double busy_s = (after.at_s - before.at_s) * std::min(threads, cpus);
    if (before.stolen_s && after.stolen_s &&
        *after.stolen_s - *before.stolen_s > kStolenShare * busy_s)
        return true;
    const auto switches = static_cast<double>(after.switches - before.switches -
                                              2 * (after.created - before.created));
    if (threads <= cpus && switches > 1 + kSwitchesPerSecond * busy_s) return true;
    return after.mhz && *after.mhz < kLeastClock * best_mhz;
}

CpuWatch::CpuWatch(std::vector<int> cpus, std::string system, std::string processes)
    : cpus_(std::move(cpus)), system_(std::move(system)), processes_(std::move(processes)) {}

void CpuWatch::start(int threads) {
    threads_ = threads;
    before_ = read();
}

bool CpuWatch::was_disturbed() {
    const CpuReading after = read();
    best_mhz_ = std::max(best_mhz_, after.mhz.value_or(0));
    return is_disturbed(before_, after, threads_, static_cast<int>(cpus_.size()), best_mhz_);
}

std::string CpuWatch::watched() const {
    std::string shown, hidden;
    const auto say = [&](const char* what, bool is_shown) {
        std::string& list = is_shown ? shown : hidden;
        list += (list.empty() ? "" : ", ") + std::string(what);
    };
    say("stolen time", stolen_s().has_value());
    say("switches", true);
    say("CPU clock", mhz().has_value());
    return shown + (hidden.empty() ? "" : "; not shown: " + hidden);
}

CpuReading CpuWatch::read() const {
    CpuReading reading;
    const auto now = std::chrono::steady_clock::now().time_since_epoch();
    reading.at_s = std::chrono::duration<double>(now).count();
    reading.stolen_s = stolen_s();
    rusage usage{};
    if (getrusage(RUSAGE_SELF, &usage) == 0) reading.switches = usage.ru_nivcsw;
    reading.created = created_threads();
    reading.mhz = mhz();
    return reading;
}

/// The eighth number of the CPU's line, in ticks.
std::optional<double> CpuWatch::stolen_s() const {
    std::ifstream file(processes_ + "/stat");
    std::string line;
    std::int64_t ticks = 0;
    bool found = false;
    while (std::getline(file, line)) {
        std::istringstream words(line);
        std::string name;
        words >> name;
        const auto used = cpus_.begin() + std::min<std::ptrdiff_t>(threads_, std::ssize(cpus_));
        if (std::none_of(cpus_.begin(), used,
                         [&](int cpu) { return name == "cpu" + std::to_string(cpu); }))
            continue;
        std::int64_t value = 0;
        for (int i = 0; i < 8; ++i)
            if (!(words >> value)) return {};
        ticks += value;
        found = true;
    }
    if (!found) return {};
    return static_cast<double>(ticks) / static_cast<double>(sysconf(_SC_CLK_TCK));
}

std::optional<double> CpuWatch::mhz() const {
    std::optional<double> slowest;
    for (std::size_t i = 0; i < cpus_.size() && i < static_cast<std::size_t>(threads_); ++i) {
        std::int64_t khz = 0;
        if (!(std::ifstream(system_ + "/devices/system/cpu/cpu" + std::to_string(cpus_[i]) +
                            "/cpufreq/scaling_cur_freq") >>
              khz))
            return {};
        const double mhz = static_cast<double>(khz) / 1e3;
        slowest = std::min(slowest.value_or(mhz), mhz);
    }
    return slowest;
}

}  // namespace convolab

/// A sanitizer's, if there is one.
// NOLINTNEXTLINE(bugprone-reserved-identifier): its name
extern "C" [[gnu::weak]] int __interceptor_pthread_create(pthread_t*, const pthread_attr_t*,
                                                          void* (*)(void*), void*);

/// Called in the place of the C library's function, also by the libraries of C++ and OpenMP.
extern "C" int pthread_create(pthread_t* id, const pthread_attr_t* attributes,
                              void* (*function)(void*), void* argument) noexcept {
    static const auto library =
        __interceptor_pthread_create
            ? &__interceptor_pthread_create
            : reinterpret_cast<decltype(&pthread_create)>(dlsym(RTLD_NEXT, "pthread_create"));
    const int error = library(id, attributes, function, argument);
    if (error == 0) ++convolab::created;
    return error;
}
