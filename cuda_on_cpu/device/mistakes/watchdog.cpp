// SPDX-License-Identifier: MIT
// Stops a kernel that never ends with cudaErrorLaunchTimeout and a message: if a thread has run for
// CUDA_ON_CPU_TIMEOUT seconds without returning or waiting at a barrier, or if no thread has
// returned for three times as long. The seconds are processor time, so a busy machine causes no
// timeout. Before that, a thread that seems to wait in a loop is interrupted, and the others of its
// block run.
#include <dlfcn.h>
#include <pthread.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstring>
#include <string>

#include "device/base/device.hpp"
#include "device/base/observer.hpp"
#include "device/base/settings.hpp"
#include "device/base/source_line.hpp"
#include "device/memory/shared_memory.hpp"
#include "device/memory/stream.hpp"
#include "device/mistakes/fault.hpp"
#include "device/threads/block.hpp"
#include "include/uninterrupted.hpp"

namespace cuda_on_cpu {
namespace {

constexpr int ticks_in_second = 100;
constexpr int waits_factor = 3;                // for threads that only wait for each other
constexpr int patience = ticks_in_second / 2;  // before it interrupts a thread
constexpr int patience_with_host = ticks_in_second;

struct Watch {
    bool has_timer = false;
    pthread_t thread{};  // the thread whose time it counts
    timer_t timer{};
    bool ticks = false;
    long seconds = 0;
    // the state at the last ticks
    std::uint64_t steps = 0, returns = 0;
    unsigned calls = 0;
    int since_call = 0;
    bool host_waits = false;  // true once the host has waited in a loop: then it does so again
    bool interrupts = false;  // true once it has interrupted this kernel: then again at each tick
    unsigned turns = 0;
    int since_step = 0, since_return = 0;
    const void* code = nullptr;
    MbarrierWait wait{};  // a copy, because the end of the thread overwrites its stack
} watch;

void set_timer(bool ticks) {
    itimerspec times{};
    times.it_value.tv_nsec = ticks ? 1000000000 / ticks_in_second : 0;
    times.it_interval = times.it_value;
    timer_settime(watch.timer, 0, &times, nullptr);
    watch.ticks = ticks;
}

Finding text_of(const MbarrierWait& wait) {
    return "has waited for " + std::to_string(watch.seconds) + " s, at " +
           at(wait.file + (":" + std::to_string(wait.line))) +
           ", for the end of a phase of parity " + std::to_string(wait.parity) +
           " of the mbarrier at " + byte_of_shared(wait.mbarrier) +
           "; missing arrivals: " + std::to_string(*wait.missing) + " of " +
           std::to_string(wait.arrivals) + " (CUDA_ON_CPU_TIMEOUT)";
}

// Where it is or, if that is what records its accesses, where it has made the last one.
Finding endless_line() {
    if (!users_line(watch.code).empty() || last_access == nullptr) return source_line(watch.code);
    return source_line(static_cast<const char*>(last_access) - 1);
}

void end_endless_thread() {
    running_block().stop(cudaErrorLaunchTimeout, [] {
        if (watch.wait.mbarrier != nullptr) return Finding(Kind::endless, text_of(watch.wait));
        Finding finding(
            Kind::endless,
            (watch.turns == running_block().progress().turns
                 ? "has run for " + std::to_string(watch.seconds) +
                       " s without returning or waiting for others"
                 : "waits in a loop for something that no thread of its block has done in " +
                       std::to_string(watch.seconds) + " s") +
                endless_line() + " (CUDA_ON_CPU_TIMEOUT)");
        if (gridDim.x == 1 && gridDim.y == 1 && gridDim.z == 1)  // there is no other block
            finding.causes = {"a loop that does not end",
                              "threads that wait for a value that nobody writes"};
        return finding;
    });
}

// Called in a signal handler, to which the thread returns. It does not interrupt a thread under an
// observer, which must not be interrupted itself (accesses.cpp), nor library code, which may hold a
// lock.
void interrupt(const void* code) {
    if (observer != nullptr || is_in_atomic != 0 || uninterrupted != 0 || is_in_wait(code) ||
        !is_in_program(code))
        return;
    const int error = errno;
    watch.interrupts = true;
    running_block().let_others_run();
    errno = error;
}

// The host sleeps or yields again and again.
bool is_giving_way(const void* code) {
    Dl_info info{};
    if (dladdr(code, &info) == 0 || info.dli_sname == nullptr) return false;
    return std::strstr(info.dli_sname, "yield") != nullptr ||
           std::strstr(info.dli_sname, "sleep") != nullptr;
}

// Nor does it interrupt the host in library code, but where the host gives way to others.
void on_tick_of_host(const void* code) {
    if (waiting_tasks == 0) return set_timer(false);  // until there is more work
    const bool gives_way = is_giving_way(code);
    const unsigned calls = device().calls;
    const bool is_same = calls == watch.calls && device().depth == 0;
    watch.since_call = is_same ? watch.since_call + (gives_way ? 10 : 1) : 0;
    watch.calls = calls;
    if (watch.since_call < (watch.host_waits ? 1 : patience_with_host)) return;
    if (!gives_way && !is_in_program(code)) return;
    const int error = errno;
    watch.host_waits = true;
    watch.since_call = 0;
    run_by_themselves();
    errno = error;
}

void on_tick(int, siginfo_t*, void* context) {
    const Block::Progress now = running_block().progress();
    if (!now.is_running) return on_tick_of_host(place_in_code(context));
    // While threads give up their turn, the number of steps is off by one.
    const bool is_in_turn = !running_block().is_in_kernel();
    const bool is_same = is_in_turn || now.steps == watch.steps;
    watch.since_step = is_same ? watch.since_step + 1 : 0;
    watch.since_return = now.returns == watch.returns ? watch.since_return + 1 : 0;
    if (!is_same) watch.turns = now.turns;
    if (!is_in_turn) watch.steps = now.steps;
    watch.returns = now.returns;
    if (watch.since_return > waits_factor * watch.seconds * ticks_in_second)
        running_block().stop_at_next_wait(waits_factor * watch.seconds);
    if (!running_block().is_in_kernel()) return;
    const void* const code = place_in_code(context);
    if (watch.since_step > watch.seconds * ticks_in_second) {
        const MbarrierWait* const wait = running_block().current().mbarrier_wait;
        watch.wait = wait != nullptr ? *wait : MbarrierWait{};
        watch.code = code;
        watch.since_step = 0;
        return continue_in(end_endless_thread, context);
    }
    if (watch.since_step >= (watch.interrupts ? 1 : patience)) interrupt(code);
}

void make_timer() {
    if (watch.has_timer && pthread_equal(watch.thread, pthread_self())) return;
    if (watch.has_timer) timer_delete(watch.timer);
    const bool host_waits = watch.host_waits;
    watch = {};
    watch.host_waits = host_waits;
    sigevent event{};
    event.sigev_notify = SIGEV_THREAD_ID;
    event.sigev_signo = SIGVTALRM;
    event._sigev_un._tid = static_cast<pid_t>(syscall(SYS_gettid));
    struct sigaction action {};
    action.sa_sigaction = on_tick;
    // The handler runs on the thread's stack and may switch to another thread before it returns.
    action.sa_flags = SA_SIGINFO | SA_NODEFER | SA_RESTART;
    sigemptyset(&action.sa_mask);
    sigaction(SIGVTALRM, &action, nullptr);
    watch.has_timer = timer_create(CLOCK_THREAD_CPUTIME_ID, &event, &watch.timer) == 0;
    watch.thread = pthread_self();
    static const int forgets = pthread_atfork(nullptr, nullptr, [] { watch = {}; });
    static_cast<void>(forgets);  // a child process inherits no timers
}

struct Watchdog final : Observer {
    // Makes this CPU thread watch the kernels that it runs.
    void begin_kernel(const Launch&) override {
        const long seconds = setting("CUDA_ON_CPU_TIMEOUT", 10, 0, 1000000);
        make_timer();
        watch.seconds = seconds;
        watch.since_step = watch.since_return = 0;
        watch.interrupts = false;
        if (watch.has_timer && watch.ticks != (seconds > 0)) set_timer(seconds > 0);
    }
    // Makes it watch itself while work waits in streams: if it runs without a call of CUDA, it may
    // wait in a loop for that work, which then runs. Who watches each access does that (accesses/).
    void issued() override {
        if (observer != nullptr) return;
        make_timer();
        if (watch.has_timer && !watch.ticks) set_timer(true);
    }
};
[[gnu::constructor(101)]] void begin_watchdog() { new Watchdog; }

}  // namespace
}  // namespace cuda_on_cpu
