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
#include <cmath>
#include <csignal>
#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <iostream>
#include <iterator>
#include <mutex>
#include <utility>

#include "common/base/error.hpp"

namespace convolab {
namespace {

/// Texts of a fixed length, because processes share them.
struct Note {
    char variant[64];
    char job[1000];
    char how[1000];
};

/// What the parent shares with its child, and with the processes that a child starts (lab 11). The
/// system fills it with zeros.
struct Shared {
    std::atomic<int> children;
    std::atomic<int> running;         ///< variants that the child runs now
    std::atomic<bool> several;        ///< it has run more than one at once
    std::atomic<bool> one_at_a_time;  ///< it must not
    Note latest;                      ///< the variant that began last
    std::atomic<unsigned> limit_s;    ///< its time
    Note failed[64];
    std::atomic<std::size_t> failed_count;
    std::atomic<bool> has_exit_code;
    std::atomic<int> exit_code;  ///< what was handed over
};

constexpr const char* kMemory = "CONVOLAB_SUPERVISOR";  // where processes of the child find it
constexpr int kSignals = 128;  // what a shell adds to the signal that ended a program

Shared* map_memory(int file) {
    void* memory = ::mmap(nullptr, sizeof(Shared), PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    return memory == MAP_FAILED ? nullptr : static_cast<Shared*>(memory);
}

/// The memory of the supervisor that started this process, by way of others.
Shared* find_memory() {
    const char* path = std::getenv(kMemory);
    const int file = path != nullptr ? ::open(path, O_RDWR | O_CLOEXEC) : -1;
    if (file < 0) return nullptr;
    struct stat info {};
    const bool is_it = ::fstat(file, &info) == 0 && info.st_size == sizeof(Shared);
    Shared* memory = is_it ? map_memory(file) : nullptr;
    ::close(file);
    return memory;
}

/// nullptr: there is no supervisor.
Shared*& shared() {
    static Shared* memory = find_memory();
    return memory;
}

/// As long as the parent lives.
class SharedMemory {
  public:
    SharedMemory() : file_(::memfd_create("supervisor", MFD_CLOEXEC)) {
        if (file_ < 0 || ::ftruncate(file_, sizeof(Shared)) != 0) return;
        shared() = map_memory(file_);
        const std::string file = std::to_string(::getpid()) + "/fd/" + std::to_string(file_);
        ::setenv(kMemory, ("/proc/" + file).c_str(), 1);
    }
    ~SharedMemory() {
        if (shared() != nullptr) ::munmap(std::exchange(shared(), nullptr), sizeof(Shared));
        ::close(file_);
        ::unsetenv(kMemory);
    }
    SharedMemory(const SharedMemory&) = delete;
    SharedMemory& operator=(const SharedMemory&) = delete;

  private:
    int file_;
};

template <std::size_t n>
void copy_text(char (&to)[n], const std::string& from) {
    const std::size_t length = std::min(from.size(), n - 1);
    std::memcpy(to, from.data(), length);
    to[length] = 0;
}

void write(Note& note, const std::string& variant, const std::string& job,
           const std::string& how = "") {
    copy_text(note.variant, variant);
    copy_text(note.job, job);
    copy_text(note.how, how);
}

/// False: there is no room for more, or the variant has failed before.
bool note_failure(const std::string& variant, const std::string& job, const std::string& how) {
    const std::size_t n = shared()->failed_count;
    if (n == std::size(shared()->failed) || earlier_failure(variant)) return false;
    write(shared()->failed[n], variant, job, how);
    shared()->failed_count = n + 1;
    return true;
}

/// The signals that end the child or are for it. Blocked, so that they can be waited for.
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
    int next() const { return sigwaitinfo(&set_, nullptr); }

  private:
    sigset_t set_{}, before_{};
};

[[noreturn]] void be_child(const Signals& signals, pid_t parent,
                           const std::function<int()>& command) {
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (::getppid() != parent) ::_exit(1);  // it died before
    ::setpgid(0, 0);                        // so that Ctrl-C reaches it from the parent alone
    signals.restore();
    std::exit(command());
}

struct End {
    int code = 0;  ///< exit code, or 128 + the signal that ended it
    int stop = 0;  ///< the signal with which the user interrupted it
};

/// Hands on a signal that ends it as SIGTERM, because mpirun understands no other. A second one kills
/// the child and what it has started.
End wait_for(pid_t child, const Signals& signals) {
    End end;
    for (int status = 0;;) {
        if (::waitpid(child, &status, WNOHANG) == child) {
            end.code = WIFEXITED(status) ? WEXITSTATUS(status) : kSignals + WTERMSIG(status);
            return end;
        }
        const int signal = signals.next();
        if (signal <= 0 || signal == SIGCHLD) continue;
        if (end.stop == 0)
            ::kill(child, SIGTERM);
        else
            ::kill(-child, SIGKILL);
        end.stop = signal;
    }
}

std::string in_words(int code) {
    const int signal = code - kSignals;
    if (signal <= 0 || signal > SIGRTMAX)
        return "ended the program with exit code " + std::to_string(code);
    if (signal == SIGALRM) return "did not end within " + std::to_string(shared()->limit_s) + " s";
    if (signal == SIGKILL) return "was killed (perhaps the machine had not enough memory)";
    return std::string("crashed (") + ::strsignal(signal) + ")";
}

/// Whether another child follows one that ended with this code in the middle of its work.
bool goes_on(const std::string& lab, int code) {
    if (shared()->running == 0) return false;
    const std::string how = in_words(code);
    if (shared()->several) {
        if (shared()->one_at_a_time.exchange(true)) return false;
        std::cerr << lab << ": a variant " << how
                  << "; one runs at a time from here on, to find which\n";
        return true;
    }
    const Note& at = shared()->latest;
    if (!note_failure(at.variant, at.job, how)) return false;
    std::cerr << "error: " << lab << ", variant " << at.variant << ": " << how << " at " << at.job
              << "; the others go on\n";
    return true;
}

}  // namespace

int supervise(const std::string& lab, const std::function<int()>& command,
              const std::function<int(int code)>& explain) {
    const SharedMemory memory;
    if (shared() == nullptr) return command();
    const Signals signals;
    for (;;) {
        const std::size_t failed_before = shared()->failed_count;
        ++shared()->children;
        shared()->running = 0;
        shared()->several = shared()->has_exit_code = false;
        std::cout.flush();
        const pid_t parent = ::getpid(), child = ::fork();
        if (child < 0) throw Error("The system allows no new process; end others and try again.");
        if (child == 0) be_child(signals, parent, command);
        const End end = wait_for(child, signals);
        if (end.stop != 0) return kSignals + end.stop;
        const bool was_handed_over = end.code == 0 && shared()->has_exit_code;
        const int code = was_handed_over ? shared()->exit_code.load() : explain(end.code);
        if (shared()->failed_count == failed_before && !goes_on(lab, end.code)) return code;
    }
}

RunningVariant::RunningVariant(const std::string& variant, const std::string& job, double limit_s) {
    static std::mutex one;
    if (shared() == nullptr) return;
    const std::scoped_lock lock(one);
    if (++shared()->running > 1) shared()->several = true;
    write(shared()->latest, variant, job);
    shared()->limit_s = static_cast<unsigned>(std::ceil(limit_s));
    const unsigned left_s = ::alarm(shared()->limit_s);  // ends the process
    if (left_s > shared()->limit_s) ::alarm(left_s);     // of another thread
}

RunningVariant::~RunningVariant() {
    if (shared() != nullptr && --shared()->running == 0) ::alarm(0);
}

std::optional<EarlierFailure> earlier_failure(const std::string& variant) {
    if (shared() == nullptr) return {};
    for (std::size_t i = 0; i < shared()->failed_count; ++i)
        if (variant == shared()->failed[i].variant)
            return EarlierFailure{shared()->failed[i].job, shared()->failed[i].how};
    return {};
}

bool is_one_at_a_time() { return shared() != nullptr && shared()->one_at_a_time; }

bool is_first_child() { return shared() == nullptr || shared()->children == 1; }

int hand_over(int code) {
    if (shared() == nullptr) return code;
    shared()->exit_code = code;
    shared()->has_exit_code = true;
    return 0;
}

void start_again_without(const std::string& variant, const std::string& job,
                         const std::string& how) {
    if (shared() != nullptr && note_failure(variant, job, how)) ::_exit(1);
}

}  // namespace convolab
