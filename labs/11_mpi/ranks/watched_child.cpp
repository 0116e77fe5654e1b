// Copyright (c) 2026 The Convolab authors
// SPDX-License-Identifier: MIT
#include "labs/11_mpi/ranks/watched_child.hpp"

#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <fstream>
#include <iterator>
#include <string>
#include <thread>
#include <vector>

namespace convolab::mpi {
namespace {

constexpr unsigned kPatience = 5;  // seconds

volatile sig_atomic_t stopped = 0;
volatile sig_atomic_t reminders = 0;
volatile pid_t child = 0;

/// mpirun runs in a separate process group, so that Ctrl-C reaches it once, from here. On a busy
/// machine it may miss the signal: it gets the signal once more and is then killed.
void pass_on(int signal) {
    if (signal == SIGALRM)
        reminders = reminders + 1;
    else
        stopped = signal;
    if (child > 0) kill(child, reminders < 2 ? SIGTERM : SIGKILL);
    alarm(kPatience);
}

void catch_stops() {
    for (const int signal : {SIGINT, SIGTERM, SIGHUP}) {
        struct sigaction action {};
        sigaction(signal, nullptr, &action);
        if (action.sa_handler == SIG_IGN) continue;
        action.sa_handler = pass_on;
        sigaction(signal, &action, nullptr);
    }
    signal(SIGALRM, pass_on);
}

std::vector<pid_t> children() {
    const std::string self = std::to_string(getpid());
    std::ifstream file("/proc/self/task/" + self + "/children");
    return {std::istream_iterator<pid_t>(file), {}};
}

/// Ranks whose mpirun was killed are now children of this process. They end by themselves, or are
/// killed.
void wait_for_orphans() {
    const auto patience = std::chrono::steady_clock::now() + std::chrono::seconds(kPatience);
    for (pid_t ended = 0; (ended = waitpid(-1, nullptr, WNOHANG)) >= 0;) {
        if (ended > 0) continue;
        if (std::chrono::steady_clock::now() > patience)
            for (const pid_t rank : children()) kill(rank, SIGKILL);
        std::this_thread::sleep_for(std::chrono::milliseconds(10));
    }
}

}  // namespace

void begin_watching() {
    catch_stops();
    prctl(PR_SET_CHILD_SUBREAPER, 1);
}

int watch(pid_t pid) {
    child = pid;
    int status = 0;
    while (waitpid(pid, &status, 0) < 0 && errno == EINTR) {
    }
    child = 0;
    wait_for_orphans();
    return status;
}

int stopped_by() { return stopped; }

}  // namespace convolab::mpi
