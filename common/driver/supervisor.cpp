// Copyright (c) 2026 The Convolab authors
// SPDX-License-Identifier: MIT
#include "common/driver/supervisor.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cmath>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <iostream>
#include <utility>

#include "common/base/error.hpp"

namespace convolab {

/// What one thread runs.
struct ThreadSlot {
    std::atomic<bool> busy;
    std::atomic<double> ends_at_s;
    double limit_s;
    char variant[64];
    char job[1000];
};

namespace {

constexpr const char* kMemory = "CONVOLAB_SUPERVISOR";
constexpr double kTick = 0.9;  // seconds between two looks at the time limits

struct FailedVariant {
    char variant[64];
    char job[1000];
    char how[1000];
};

/// Shared by the supervisor and its child, and with the processes that a child starts (lab 11). The
/// system fills it with zeros.
struct Shared {
    ThreadSlot slots[256];
    FailedVariant failed[64];
    std::atomic<std::size_t> failed_count;
    std::atomic<bool> one_at_a_time;
    std::atomic<unsigned char> finished[1 << 16];
};

Shared* shared = nullptr;

template <std::size_t n>
void copy_text(char (&to)[n], const std::string& from) {
    const std::size_t length = std::min(from.size(), n - 1);
    std::memcpy(to, from.data(), length);
    to[length] = 0;
}

double now_s() {
    const auto now = std::chrono::steady_clock::now().time_since_epoch();
    return std::chrono::duration<double>(now).count();
}

Shared* map_memory(int file) {
    void* memory = ::mmap(nullptr, sizeof(Shared), PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    return memory == MAP_FAILED ? nullptr : static_cast<Shared*>(memory);
}

/// The memory of the supervisor that started this process, by way of others; nullptr: there is
/// none.
Shared* memory() {
    static const bool looked = [] {
        const char* path = shared == nullptr ? std::getenv(kMemory) : nullptr;
        const int file = path != nullptr ? ::open(path, O_RDWR | O_CLOEXEC) : -1;
        if (file < 0) return true;
        struct stat info {};
        if (::fstat(file, &info) == 0 && info.st_size == sizeof(Shared)) shared = map_memory(file);
        ::close(file);
        return true;
    }();
    static_cast<void>(looked);
    return shared;
}

/// false: there is no room for more of them.
bool note_failure(const std::string& variant, const std::string& job, const std::string& how) {
    const std::size_t n = shared->failed_count;
    if (n == std::size(shared->failed) || earlier_failure(variant)) return false;
    copy_text(shared->failed[n].variant, variant);
    copy_text(shared->failed[n].job, job);
    copy_text(shared->failed[n].how, how);
    shared->failed_count = n + 1;
    return true;
}

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

struct Ending {
    int status = 0;
    bool told_to_stop = false;             ///< by the user
    const ThreadSlot* too_slow = nullptr;  ///< the variant that was stopped
};

Ending wait_for(pid_t child, const Signals& signals, double patience_s) {
    Ending end;
    double kill_at_s = 0;
    for (;;) {
        if (::waitpid(child, &end.status, WNOHANG) == child) return end;
        const int signal = signals.next(kTick);
        if (signal != 0 && signal != SIGCHLD) {
            end.told_to_stop = true;
            ::kill(child, signal);
        }
        if (end.too_slow != nullptr) {
            if (now_s() > kill_at_s) ::kill(child, SIGKILL);
            continue;
        }
        for (const ThreadSlot& slot : shared->slots)
            if (slot.busy && now_s() > slot.ends_at_s) end.too_slow = &slot;
        if (end.too_slow == nullptr) continue;
        ::kill(child, patience_s > 0 ? SIGTERM : SIGKILL);
        kill_at_s = now_s() + patience_s;
    }
}

int exit_code(int status) {
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

std::string how_it_ended(const Ending& end) {
    if (end.too_slow != nullptr)
        return "did not end within " + std::to_string(std::lround(end.too_slow->limit_s)) + " s";
    if (WIFEXITED(end.status))
        return "ended the program with exit code " + std::to_string(WEXITSTATUS(end.status));
    const int signal = WTERMSIG(end.status);
    if (signal == SIGKILL) return "was killed (perhaps the machine had not enough memory)";
    return std::string("crashed (") + ::strsignal(signal) + ")";
}

/// After a child has ended. False: it was the last one.
bool go_on(const std::string& lab, const Ending& end, std::size_t failed_before) {
    if (end.told_to_stop) return false;
    const bool by_itself = shared->failed_count > failed_before;
    const ThreadSlot* at = end.too_slow;
    int busy = 0;
    for (const ThreadSlot& slot : shared->slots) {
        busy += slot.busy;
        if (end.too_slow == nullptr && slot.busy) at = &slot;
    }
    if (!by_itself && at == nullptr) return false;
    if (!by_itself && busy > 1 && end.too_slow == nullptr) {
        if (shared->one_at_a_time) return false;
        shared->one_at_a_time = true;
        std::cerr << lab << ": a variant " << how_it_ended(end)
                  << "; one runs at a time from here on, to find which\n";
    } else if (!by_itself) {
        if (!note_failure(at->variant, at->job, how_it_ended(end))) return false;
        std::cerr << "error: " << lab << ", variant " << at->variant << ": " << how_it_ended(end)
                  << " at " << at->job << "; the others go on\n";
    }
    for (ThreadSlot& slot : shared->slots) slot.busy = false;
    return true;
}

}  // namespace

int supervise(const std::string& lab, double patience_s, const std::function<int()>& command) {
    const int file = ::memfd_create("supervisor", MFD_CLOEXEC);
    if (file >= 0 && ::ftruncate(file, sizeof(Shared)) == 0) shared = map_memory(file);
    if (shared == nullptr) return command();
    const std::string path = "/proc/" + std::to_string(::getpid()) + "/fd/" + std::to_string(file);
    ::setenv(kMemory, path.c_str(), 1);
    const Signals signals;
    Ending end;
    std::size_t failed_before = 0;
    do {
        failed_before = shared->failed_count;
        std::cout.flush();
        const pid_t child = ::fork();
        if (child < 0) throw Error("The system allows no new process; end others and try again.");
        if (child == 0) be_child(signals, command);
        end = wait_for(child, signals, patience_s);
    } while (go_on(lab, end, failed_before));
    ::munmap(std::exchange(shared, nullptr), sizeof(Shared));
    ::close(file);
    ::unsetenv(kMemory);
    return exit_code(end.status);
}

RunningVariant::RunningVariant(const std::string& variant, const std::string& job, double limit_s)
    : slot_(nullptr) {
    if (memory() == nullptr) return;
    for (ThreadSlot& slot : shared->slots) {
        bool free = false;
        if (!slot.busy.compare_exchange_strong(free, true)) continue;
        slot_ = &slot;
        break;
    }
    if (slot_ == nullptr) return;  // more threads than slots
    copy_text(slot_->variant, variant);
    copy_text(slot_->job, job);
    slot_->limit_s = limit_s;
    slot_->ends_at_s = now_s() + limit_s;
}

RunningVariant::~RunningVariant() {
    if (slot_ != nullptr) slot_->busy = false;
}

std::optional<EarlierFailure> earlier_failure(const std::string& variant) {
    if (memory() == nullptr) return {};
    for (std::size_t i = 0; i < shared->failed_count; ++i)
        if (variant == shared->failed[i].variant)
            return EarlierFailure{shared->failed[i].job, shared->failed[i].how};
    return {};
}

bool is_one_at_a_time() { return memory() != nullptr && shared->one_at_a_time; }

bool is_finished(std::size_t number) {
    return memory() != nullptr && number < std::size(shared->finished) &&
           shared->finished[number] != 0;
}

void set_finished(std::size_t number) {
    if (memory() != nullptr && number < std::size(shared->finished)) shared->finished[number] = 1;
}

void start_again_without(const std::string& variant, const std::string& job,
                         const std::string& how) {
    if (memory() != nullptr && note_failure(variant, job, how)) ::_exit(1);
}

}  // namespace convolab
