// Copyright (c) 2026 The Convolab authors
// SPDX-License-Identifier: MIT
#include "common/driver/commands.hpp"

#include <csignal>

#include "common/measurement/machine.hpp"

namespace convolab {
namespace {

volatile std::sig_atomic_t caught_signal = 0;

extern "C" void remember_signal(int signal) { caught_signal = signal; }

}  // namespace

bool interrupted() { return caught_signal != 0; }
int interrupted_exit_code() { return 128 + caught_signal; }

void catch_interrupts() {
    std::signal(SIGINT, remember_signal);
    std::signal(SIGTERM, remember_signal);
}

Row origin_row(const Lab& lab, const std::string& variant) {
    const BuildInfo& build = build_info();
    return {{"lab", lab.name},
            {"variant", variant},
            {"backend", lab.backend->name()},
            {"machine", machine_name()},
            {"device", lab.backend->device()},
            {"driver", lab.backend->driver()},
            {"compiler", build.compiler},
            {"flags", build.flags},
            {"build", build.build}};
}

}  // namespace convolab
