// Copyright (c) 2026 The Convolab authors
// SPDX-License-Identifier: MIT
#include "labs/11_mpi/ranks/mpirun.hpp"

#include <fcntl.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <cstring>
#include <iostream>
#include <string>
#include <vector>

#include "common/threads/topology.hpp"
#include "labs/11_mpi/ranks/exit_code.hpp"
#include "labs/11_mpi/ranks/watched_child.hpp"

namespace convolab::mpi {
namespace {

constexpr int kNotStarted = 127;  // as the shell's: no such program
constexpr int kSignals = 128;     // a program's exit code is 128 + the signal that ended it

/// Whether this process may read another's memory, which Open MPI does for long messages. In
/// containers it may be forbidden, which Open MPI finds out too late.
bool can_read_processes() {
    char from = 1;
    char to = 0;
    const iovec source{&from, 1};
    const iovec target{&to, 1};
    return process_vm_readv(getpid(), &target, 1, &source, 1, 0) == 1;
}

void set_environment(int ranks) {
    // Open MPI does not start for root, which is the only user in many containers.
    if (geteuid() == 0) {
        setenv("OMPI_ALLOW_RUN_AS_ROOT", "1", 0);
        setenv("OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1", 0);
    }
    // Without mpirun's own words about exit codes; Open MPI 5 has neither this nor the option
    // --quiet.
    setenv("OMPI_MCA_orte_execute_quiet", "1", 0);
    // If there are more ranks than cores, a rank that waits lets others run.
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
    // Only a clip may come through standard input; mpirun would read what is meant for the caller's
    // script.
    if (argc < 2 || std::strcmp(argv[1], "run") != 0)
        if (const int nothing = open("/dev/null", O_RDONLY); nothing >= 0)
            dup2(nothing, STDIN_FILENO);
    char program[4096] = {};
    if (readlink("/proc/self/exe", program, sizeof program - 1) < 0) _exit(kNotStarted);
    // --oversubscribe: more ranks than cores are slow, and right. --bind-to none: bench pins the
    // ranks itself.
    std::vector<std::string> words = {"mpirun", "--oversubscribe",     "--bind-to", "none",
                                      "-n",     std::to_string(ranks), program};
    words.insert(words.end(), argv + 1, argv + argc);
    std::vector<char*> arguments;
    for (std::string& word : words) arguments.push_back(word.data());
    arguments.push_back(nullptr);
    execvp("mpirun", arguments.data());
    _exit(kNotStarted);
}

int fail(const std::string& sentence) {
    std::cerr << "error: " << sentence << '\n';
    return 1;
}

}  // namespace

int under_mpirun(int ranks, int argc, char** argv) {
    const ExitCode exit_code;
    begin_watching();
    std::cout.flush();
    const pid_t child = fork();
    if (child < 0) return fail("The system allows no new process; end others and try again.");
    if (child == 0) become_mpirun(ranks, argc, argv);
    const int status = watch(child);
    const int code = WIFEXITED(status) ? WEXITSTATUS(status) : kSignals + WTERMSIG(status);
    if (code == kNotStarted)
        return fail(
            "There is no mpirun on the PATH; install it (on Debian and Ubuntu openmpi-bin).");
    if (stopped_by() > 0) return kSignals + stopped_by();
    if (code == 0 && exit_code.get()) return *exit_code.get();
    if (code < kSignals) return fail("A rank failed, with exit code " + std::to_string(code) + '.');
    if (code - kSignals > SIGRTMAX)
        return fail("mpirun could not start the ranks (its exit code is " + std::to_string(code) +
                    ").");
    return fail(std::string("A rank died: ") + strsignal(code - kSignals) +
                ". The others were stopped; of its output nothing was written.");
}

}  // namespace convolab::mpi
