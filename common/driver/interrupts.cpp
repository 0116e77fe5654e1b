// SPDX-License-Identifier: MIT
#include "common/driver/interrupts.hpp"

#include <atomic>
#include <csignal>

namespace convolab {
namespace {

std::atomic<int> caught_signal = 0;  // other threads read it
static_assert(std::atomic<int>::is_always_lock_free, "a signal handler may not wait for a lock");

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

}  // namespace convolab
