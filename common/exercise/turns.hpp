// SPDX-License-Identifier: MIT
// Runs the program of the answer, and measures it from outside.
#pragma once

#include <fcntl.h>
#include <sched.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <random>
#include <string>

#include "common/exercise/plan.hpp"

namespace convolab::exercise {

inline double seconds_of(clockid_t clock) {
    timespec time{};
    clock_gettime(clock, &time);
    return double(time.tv_sec) + 1e-9 * double(time.tv_nsec);
}

class Turns {
  public:
    Turns(const char* program, const char* seed, bool cpu_time) {
        if (cpu_time) stay_on_this_cpu();
        int go[2], done[2];
        if (pipe(go) != 0 || pipe(done) != 0) std::abort();
        std::signal(SIGPIPE, SIG_IGN);
        child_ = fork();
        if (child_ == 0) become(program, seed, go[0], done[1]);
        close(go[0]);
        close(done[1]);
        go_ = go[1];
        records_ = fdopen(done[0], "rb");
        if (cpu_time) clock_getcpuclockid(child_, &clock_);
    }
    ~Turns() {
        kill(child_, SIGKILL);
        waitpid(child_, nullptr, 0);
    }
    Turns(const Turns&) = delete;
    Turns& operator=(const Turns&) = delete;

    /// Whether the program has this picture, and waits.
    bool is_ready(std::uint64_t turn) {
        return write(go_, &turn, sizeof turn) == sizeof turn && read_number() == 0;
    }

    /// Seconds from "go" until the number comes back that only the program's own page knows; else
    /// -1.
    double run() {
        const std::uint64_t number = std::uint64_t(random_()) << 32 | random_() | 1;
        const double begin = now();
        if (write(go_, &number, sizeof number) != sizeof number) return -1;
        const bool is_done = read_number() == number;
        const double end = now();
        return is_done ? end - begin : -1;
    }

    std::FILE* records() { return records_; }

    /// Why there is no record.
    std::string ending() {
        if (!std::feof(records_))
            return "the answer has written into the judge's pipe; it writes to what it is given "
                   "only.";
        int status = 0;
        waitpid(child_, &status, 0);
        if (WIFSIGNALED(status))
            return std::string("while it was timed it ended with: ") + strsignal(WTERMSIG(status));
        if (WEXITSTATUS(status) == kAnotherProcess)
            return "the answer starts another process. It is to do its work itself.";
        return "while it was timed it ended early; does the answer call exit()?";
    }

  private:
    /// The judge, its baseline and the program: threads on several CPUs wait for the other's cache,
    /// which depends on how busy those CPUs are.
    static void stay_on_this_cpu() {
        cpu_set_t cpus;
        CPU_ZERO(&cpus);
        CPU_SET(sched_getcpu(), &cpus);
        static_cast<void>(sched_setaffinity(0, sizeof cpus, &cpus));
    }

    /// The CPU time of a process is up to date while it does not run.
    double now() const {
        if (clock_ == CLOCK_MONOTONIC) return seconds_of(clock_);
        kill(child_, SIGSTOP);
        waitpid(child_, nullptr, WUNTRACED);
        const double seconds = seconds_of(clock_);
        kill(child_, SIGCONT);
        return seconds;
    }

    /// The program's own output is no word of the judge.
    [[noreturn]] static void become(const char* program, const char* seed, int go, int done) {
        const int ends[] = {fcntl(go, F_DUPFD, 100), fcntl(done, F_DUPFD, 100)};
        for (int i = 0; i < 100; ++i) close(i);
        for (int i = 0; i < 3; ++i) open("/dev/null", O_RDWR);
        for (const int end : ends) {
            dup(end);  // 3 and 4, as in answer.hpp
            close(end);
        }
        execl(program, program, "time", seed, nullptr);
        _exit(1);
    }

    std::uint64_t read_number() {
        std::uint64_t number = 1;
        return std::fread(&number, sizeof number, 1, records_) == 1 ? number : 1;
    }

    pid_t child_;
    int go_;
    std::FILE* records_;
    clockid_t clock_ = CLOCK_MONOTONIC;
    std::random_device random_;
};

}  // namespace convolab::exercise
