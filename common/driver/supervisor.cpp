// SPDX-License-Identifier: MIT
// The parent: starts a child, watches it, and decides by how it ended whether there is another one.
#include "common/driver/supervisor.hpp"

#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iostream>

#include "common/base/error.hpp"

namespace convolab {
namespace {

constexpr double kTick = 0.9;  // seconds between two looks at the time limits
constexpr int kSignals = 128;  // what a shell adds to the signal that ended a program

/// Signals that are for the child reach it from here, once.
class Signals {
  public:
    Signals() {
        sigemptyset(&set_);
        for (const int signal : {SIGCHLD, SIGINT, SIGTERM, SIGHUP}) {
            struct sigaction action {};
            ::sigaction(signal, nullptr, &action);
            if (signal == SIGCHLD || action.sa_handler != SIG_IGN) sigaddset(&set_, signal);
        }
        pthread_sigmask(SIG_BLOCK, &set_, &before_);
    }
    ~Signals() { restore(); }
    void restore() const { pthread_sigmask(SIG_SETMASK, &before_, nullptr); }
    /// Waits. 0: none came.
    int next(double seconds) const {
        const timespec time{0, static_cast<long>(seconds * 1e9)};
        return std::max(0, sigtimedwait(&set_, nullptr, &time));
    }

  private:
    sigset_t set_{}, before_{};
};

[[noreturn]] void be_child(const Signals& signals, const std::function<int()>& command) {
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
    ::setpgid(0, 0);  // so that Ctrl-C reaches it from the parent alone
    signals.restore();
    std::exit(command());
}

/// How a child ended, and what follows from it.
enum class Ending {
    done,         ///< no thread ran a variant: it was the last child
    interrupted,  ///< by the user: likewise
    noted,        ///< it has noted itself which variant the next child leaves out
    too_slow,     ///< a variant exceeded its limit: the next child leaves it out
    in_one,       ///< in the one variant that ran: likewise
    in_several    ///< it is not known in which: the next child runs one at a time
};

struct End {
    int code = 0;  ///< exit code, or 128 + the signal that ended it
    int stop = 0;  ///< the signal with which the user interrupted it
    Ending how = Ending::done;
    const ThreadSlot* at = nullptr;  ///< the variant, of too_slow and in_one
};

End wait_for(pid_t child, const Signals& signals, const Family& family) {
    End end;
    const bool has_family = family.patience_s > 0;
    double remind_at_s = 0, kill_at_s = 0;
    const auto stop = [&](int signal) {
        ::kill(child, has_family ? SIGTERM : signal);
        kill_at_s = now_s() + family.patience_s;
        remind_at_s = kill_at_s - family.patience_s / 2;
    };
    for (int status = 0;;) {
        if (::waitpid(child, &status, WNOHANG) == child) {
            end.code = WIFEXITED(status) ? WEXITSTATUS(status) : kSignals + WTERMSIG(status);
            return end;
        }
        const int signal = signals.next(kTick);
        if (signal != 0 && signal != SIGCHLD) {
            end.how = Ending::interrupted;
            end.stop = signal;
            stop(signal);
        }
        const bool is_ending = end.at != nullptr || (end.stop != 0 && has_family);
        if (is_ending) {
            if (now_s() > kill_at_s) {
                ::kill(child, SIGKILL);
            } else if (now_s() > remind_at_s) {  // on a busy machine mpirun may have missed it
                ::kill(child, SIGTERM);
                remind_at_s = kill_at_s;
            }
            continue;
        }
        for (const ThreadSlot& slot : shared->slots)
            if (slot.busy && now_s() > slot.ends_at_s) end.at = &slot;
        if (end.at == nullptr) continue;
        if (end.how != Ending::interrupted) end.how = Ending::too_slow;
        stop(SIGKILL);
    }
}

/// What a family has left behind ends by itself, or is killed.
void wait_for_orphans() {
    constexpr double kPatience = 5;  // seconds
    const std::string self = std::to_string(::getpid());
    const double kill_at_s = now_s() + kPatience;
    for (pid_t ended = 0; (ended = ::waitpid(-1, nullptr, WNOHANG)) >= 0;) {
        if (ended > 0) continue;
        std::ifstream children("/proc/self/task/" + self + "/children");
        for (pid_t child = 0; now_s() > kill_at_s && children >> child;) ::kill(child, SIGKILL);
        ::usleep(10'000);
    }
}

/// What wait_for() cannot know: what the child ran, and what it has noted.
void look_back(End& end, std::size_t failed_before) {
    if (end.how == Ending::interrupted) return;
    if (shared->failed_count > failed_before) end.how = Ending::noted;
    if (end.how != Ending::done) return;
    for (const ThreadSlot& slot : shared->slots) {
        if (!slot.busy) continue;
        end.how = end.at == nullptr ? Ending::in_one : Ending::in_several;
        end.at = &slot;
    }
}

std::string in_words(const End& end) {
    if (end.how == Ending::too_slow)
        return "did not end within " + std::to_string(std::lround(end.at->limit_s)) + " s";
    const int signal = end.code - kSignals;
    if (signal <= 0 || signal > SIGRTMAX)
        return "ended the program with exit code " + std::to_string(end.code);
    if (signal == SIGKILL) return "was killed (perhaps the machine had not enough memory)";
    return std::string("crashed (") + ::strsignal(signal) + ")";
}

/// False: it was the last child.
bool go_on(const std::string& lab, const End& end) {
    switch (end.how) {
        case Ending::done:
        case Ending::interrupted:
            return false;
        case Ending::noted:
            break;
        case Ending::too_slow:
        case Ending::in_one:
            if (!note_failure(end.at->variant, end.at->job, in_words(end))) return false;
            std::cerr << "error: " << lab << ", variant " << end.at->variant << ": "
                      << in_words(end) << " at " << end.at->job << "; the others go on\n";
            break;
        case Ending::in_several:
            if (shared->one_at_a_time.exchange(true)) return false;
            std::cerr << lab << ": a variant " << in_words(end)
                      << "; one runs at a time from here on, to find which\n";
    }
    for (ThreadSlot& slot : shared->slots) slot.busy = false;
    return true;
}

}  // namespace

int supervise(const std::string& lab, const std::function<int()>& command, const Family& family) {
    const int file = make_shared_memory();
    if (shared == nullptr) return command();
    const bool has_family = family.patience_s > 0;
    if (has_family) ::prctl(PR_SET_CHILD_SUBREAPER, 1);
    const Signals signals;
    End end;
    int code = 0;
    do {
        const std::size_t failed_before = shared->failed_count;
        shared->has_exit_code = false;
        std::cout.flush();
        const pid_t child = ::fork();
        if (child < 0) throw Error("The system allows no new process; end others and try again.");
        if (child == 0) be_child(signals, command);
        end = wait_for(child, signals, family);
        if (has_family) wait_for_orphans();
        code = has_family && end.stop != 0              ? kSignals + end.stop
               : end.code == 0 && shared->has_exit_code ? shared->exit_code.load()
                                                        : family.explain(end.code);
        look_back(end, failed_before);
    } while (go_on(lab, end));
    drop_shared_memory(file);
    return code;
}

}  // namespace convolab
