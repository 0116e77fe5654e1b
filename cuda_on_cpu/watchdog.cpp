// Copyright (c) 2026 The Convolab authors
// SPDX-License-Identifier: MIT
//
#include "watchdog.hpp"

#include <pthread.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include <csignal>
#include <string>

#include "block.hpp"
#include "fault.hpp"
#include "sanitizers.hpp"
#include "settings.hpp"
#include "source_line.hpp"

namespace cuda_on_cpu {
namespace {

constexpr int ticks_in_timeout = 4;
constexpr int waits_factor = 3;  // threads that only wait for each other

struct Watch {
    bool has_timer = false;
    pthread_t thread{};  // whose time it counts
    timer_t timer{};
    bool ticks = false;
    long seconds = 0;
    // what the last ticks found
    std::uint64_t steps = 0, returns = 0;
    int since_step = 0, since_return = 0;
    const void* code = nullptr;
} watch;

void set_timer(long seconds) {
    itimerspec times{};
    times.it_value.tv_sec = seconds / ticks_in_timeout;
    times.it_value.tv_nsec = seconds % ticks_in_timeout * (1000000000 / ticks_in_timeout);
    times.it_interval = times.it_value;
    timer_settime(watch.timer, 0, &times, nullptr);
    watch.ticks = seconds > 0;
}

void end_thread() {
    running_block().stop(cudaErrorLaunchTimeout, [] {
        return "has run for " + std::to_string(watch.seconds) +
               " s without returning or waiting for others" + source_line(watch.code) +
               " (CUDA_ON_CPU_TIMEOUT)";
    });
}

void on_tick(int, siginfo_t*, void* context) {
    const Block::Progress now = running_block().progress();
    if (!now.is_running) return set_timer(0);  // until the next launch
    watch.since_step = now.steps == watch.steps ? watch.since_step + 1 : 0;
    watch.since_return = now.returns == watch.returns ? watch.since_return + 1 : 0;
    watch.steps = now.steps;
    watch.returns = now.returns;
    if (watch.since_return > waits_factor * ticks_in_timeout)
        running_block().stop_at_next_wait(waits_factor * watch.seconds);
    if (watch.since_step <= ticks_in_timeout || !running_block().is_in_kernel()) return;
    watch.code = place_in_code(context);
    watch.since_step = 0;
    continue_in(end_thread, context);
}

// TSan keeps a signal back until the thread calls a function of the system.
bool can_watch() { return !has_tsan(); }

void make_timer() {
    if (watch.has_timer && pthread_equal(watch.thread, pthread_self())) return;
    if (watch.has_timer) timer_delete(watch.timer);
    watch = {};
    sigevent event{};
    event.sigev_notify = SIGEV_THREAD_ID;
    event.sigev_signo = SIGVTALRM;
    event._sigev_un._tid = static_cast<pid_t>(syscall(SYS_gettid));
    struct sigaction action {};
    action.sa_sigaction = on_tick;
    action.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_RESTART;
    sigemptyset(&action.sa_mask);
    sigaction(SIGVTALRM, &action, nullptr);
    watch.has_timer = timer_create(CLOCK_THREAD_CPUTIME_ID, &event, &watch.timer) == 0;
    watch.thread = pthread_self();
    static const int forgets = pthread_atfork(nullptr, nullptr, [] { watch = {}; });
    static_cast<void>(forgets);  // a child process has no timers
}

}  // namespace

void watch_progress() {
    const long seconds = setting("CUDA_ON_CPU_TIMEOUT", 10, 0, 1000000);
    if (!can_watch()) return;
    make_timer();
    if (!watch.has_timer || (watch.seconds == seconds && watch.ticks == (seconds > 0))) return;
    watch.seconds = seconds;
    watch.since_step = watch.since_return = 0;
    set_timer(seconds);
}

}  // namespace cuda_on_cpu
