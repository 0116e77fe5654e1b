// Copyright (c) 2026 The Convolab authors
// SPDX-License-Identifier: MIT
#include "labs/11_mpi/ranks/mpirun.hpp"

#include <fcntl.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iostream>
#include <iterator>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "common/measurement/machine.hpp"

namespace convolab::mpi {
namespace {

constexpr int kNotStarted = 127;  // as the shell's: no such program
constexpr int kSignals = 128;     // a program's exit code is 128 + the signal that ended it

constexpr unsigned kPatience = 5;  // seconds

volatile sig_atomic_t stopped = 0;
volatile sig_atomic_t reminders = 0;
volatile pid_t child = 0;

/// mpirun has a process group of its own, so that Ctrl-C reaches it once, from here. On a busy machine it
/// may miss the signal: it is reminded once and then killed.
void pass_on(int signal) {
    if (signal == SIGALRM)
        reminders = reminders + 1;
    else
        stopped = signal;
    if (child > 0) kill(child, reminders < 2 ? SIGTERM : SIGKILL);
    alarm(kPatience);
}

/// Those that the caller ignores stay ignored, as in a script's background.
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

/// Whether this process may read another's memory, which Open MPI does for long messages. In containers
/// it may be forbidden, which Open MPI finds out too late.
bool can_read_processes() {
    char from = 1;
    char to = 0;
    const iovec source{&from, 1};
    const iovec target{&to, 1};
    return process_vm_readv(getpid(), &target, 1, &source, 1, 0) == 1;
}

void set_environment(int ranks) {
    // Open MPI refuses to start for root, which is the only user in many containers.
    if (geteuid() == 0) {
        setenv("OMPI_ALLOW_RUN_AS_ROOT", "1", 0);
        setenv("OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1", 0);
    }
    // Without mpirun's own words about exit codes; Open MPI 5 has neither this nor the option --quiet.
    setenv("OMPI_MCA_orte_execute_quiet", "1", 0);
    // A rank that waits lets others run, where there are more ranks than cores.
    if (ranks > core_count()) setenv("OMPI_MCA_mpi_yield_when_idle", "1", 0);
    if (!can_read_processes()) {
        setenv("OMPI_MCA_btl_vader_single_copy_mechanism", "none", 0);  // Open MPI 4
        setenv("OMPI_MCA_smsc", "^cma", 0);                             // Open MPI 5
    }
}

[[noreturn]] void become_mpirun(int ranks, int argc, char** argv) {
    prctl(PR_SET_PDEATHSIG, SIGTERM);
    setpgid(0, 0);
    set_environment(ranks);
    // Only a clip may come through standard input; mpirun would read what is meant for the caller's script.
    if (argc < 2 || std::strcmp(argv[1], "run") != 0)
        if (const int nothing = open("/dev/null", O_RDONLY); nothing >= 0)
            dup2(nothing, STDIN_FILENO);
    char program[4096] = {};
    if (readlink("/proc/self/exe", program, sizeof program - 1) < 0) _exit(kNotStarted);
    // --oversubscribe: more ranks than cores are slow, and right. --bind-to none: bench pins the ranks
    // itself.
    std::vector<std::string> words = {"mpirun", "--oversubscribe",     "--bind-to", "none",
                                      "-n",     std::to_string(ranks), program};
    words.insert(words.end(), argv + 1, argv + argc);
    std::vector<char*> arguments;
    for (std::string& word : words) arguments.push_back(word.data());
    arguments.push_back(nullptr);
    execvp("mpirun", arguments.data());
    _exit(kNotStarted);
}

std::vector<pid_t> children() {
    const std::string self = std::to_string(getpid());
    std::ifstream file("/proc/self/task/" + self + "/children");
    return {std::istream_iterator<pid_t>(file), {}};
}

/// Ranks that lost their mpirun are now children of this process. They end by themselves, or are killed.
void wait_for_orphans() {
    const auto patience = std::chrono::steady_clock::now() + std::chrono::seconds(kPatience);
    for (pid_t ended = 0; (ended = waitpid(-1, nullptr, WNOHANG)) >= 0;) {
        if (ended > 0) continue;
        if (std::chrono::steady_clock::now() > patience)
            for (const pid_t rank : children()) kill(rank, SIGKILL);
        std::this_thread::sleep_for(std::chrono::milliseconds(10));
    }
}

constexpr const char* kHandOver = "CONVOLAB_EXIT_CODE";

/// Where rank 0 leaves its exit code: memory of this process that has a name as a file.
class ExitCode {
  public:
    ExitCode() : memory_(memfd_create("exit code", MFD_CLOEXEC)) {
        const std::string path =
            "/proc/" + std::to_string(getpid()) + "/fd/" + std::to_string(memory_);
        setenv(kHandOver, path.c_str(), 1);
    }
    ~ExitCode() { close(memory_); }
    ExitCode(const ExitCode&) = delete;
    ExitCode& operator=(const ExitCode&) = delete;

    /// Nothing: rank 0 did not come to its end.
    std::optional<int> get() const {
        int code = 0;
        return pread(memory_, &code, sizeof code, 0) == sizeof code ? std::optional(code)
                                                                    : std::nullopt;
    }

  private:
    int memory_;
};

int fail(const std::string& sentence) {
    std::cerr << "error: " << sentence << '\n';
    return 1;
}

}  // namespace

int under_mpirun(int ranks, int argc, char** argv) {
    const ExitCode exit_code;
    catch_stops();
    std::cout.flush();
    prctl(PR_SET_CHILD_SUBREAPER, 1);
    child = fork();
    if (child < 0) return fail("The system allows no new process; end others and try again.");
    if (child == 0) become_mpirun(ranks, argc, argv);
    int status = 0;
    while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
    }
    child = 0;
    wait_for_orphans();
    const int code = WIFEXITED(status) ? WEXITSTATUS(status) : kSignals + WTERMSIG(status);
    if (code == kNotStarted)
        return fail(
            "There is no mpirun on the PATH; install it (on Debian and Ubuntu openmpi-bin).");
    if (stopped) return kSignals + stopped;
    if (code == 0 && exit_code.get()) return *exit_code.get();
    if (code < kSignals) return fail("A rank failed, with exit code " + std::to_string(code) + '.');
    if (code - kSignals > SIGRTMAX)
        return fail("mpirun could not start the ranks (its exit code is " + std::to_string(code) +
                    ").");
    return fail(std::string("A rank died: ") + strsignal(code - kSignals) +
                ". The others were stopped; of its output nothing was written.");
}

int hand_over(int code) {
    const char* path = std::getenv(kHandOver);
    const int file = path ? open(path, O_WRONLY | O_CLOEXEC) : -1;
    if (file < 0) return code;
    const bool is_there = write(file, &code, sizeof code) == sizeof code;
    close(file);
    return is_there ? 0 : code;
}

}  // namespace convolab::mpi
