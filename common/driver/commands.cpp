// Copyright (c) 2026 The Convolab authors
// SPDX-License-Identifier: MIT
#include "common/driver/commands.hpp"

#include <csignal>

#include "common/measurement/machine.hpp"

namespace convolab {
namespace {

volatile std::sig_atomic_t caught_signal = 0;

/// A second one ends the program at once.
extern "C" void remember_signal(int signal) {
    caught_signal = signal;
    std::signal(signal, SIG_DFL);
}

}  // namespace

bool interrupted() { return caught_signal != 0; }
int interrupted_exit_code() { return 128 + caught_signal; }

void catch_interrupts() {
    std::signal(SIGINT, remember_signal);
    std::signal(SIGTERM, remember_signal);
}

Row origin_row(const Lab& lab, const Variant& variant) {
    const Backend& backend = lab.backend_of(variant);
    const BuildInfo& build = build_info();
    return {{"lab", lab.name},
            {"variant", variant.name},
            {"backend", backend.name()},
            {"machine", machine_name()},
            {"device", backend.device()},
            {"gpus", backend.gpus() > 0 ? std::to_string(backend.gpus()) : ""},
            {"driver", backend.driver()},
            {"compiler", build.compiler},
            {"flags", build.flags},
            {"build", build.build}};
}

}  // namespace convolab
