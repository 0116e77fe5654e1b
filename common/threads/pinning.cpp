// Copyright (c) 2026 The Convolab authors
// SPDX-License-Identifier: MIT
#include "common/threads/pinning.hpp"

#include <sched.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <string>

#include "common/base/error.hpp"

namespace convolab {
namespace {

std::vector<int> pins;     // empty: off
std::vector<int> allowed;  // before the first pin
int width = 0;             // CPUs that this thread may run on; 0: not pinned

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

}  // namespace

std::vector<int> allowed_cpus() {
    if (!allowed.empty()) return allowed;
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
    allowed = allowed_cpus();
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
    if (!pins.empty()) run_on(allowed);
    pins.clear();
}

NotPinned::NotPinned() : before_(width) {
    if (pins.empty()) return;
    run_on(allowed);
    width = 0;
}

NotPinned::~NotPinned() {
    if (!pins.empty()) run_on_first(before_);
}

void pin_member(std::size_t i) {
    if (!pins.empty()) run_on({pins[i % pins.size()]});
}

}  // namespace convolab
