// SPDX-License-Identifier: MIT
#include "labs/11_mpi/ranks/start.hpp"

#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <memory>
#include <string>
#include <system_error>
#include <vector>

#include "common/base/error.hpp"
#include "common/driver/command_line.hpp"
#include "common/driver/supervisor.hpp"
#include "common/measurement/machine.hpp"
#include "common/threads/cpus.hpp"
#include "labs/11_mpi/ranks/workers.hpp"

namespace convolab::mpi {
namespace {

constexpr int kNotStarted = 127;  // as the shell's: no such program
constexpr int kSignals = 128;     // a program's exit code is 128 + the signal that ended it

bool has_word(int argc, char** argv, const char* word) {
    return std::any_of(argv + 1, argv + argc, [&](char* text) { return !std::strcmp(text, word); });
}

/// What a command line asks for.
struct Asked {
    int ranks = 0;      ///< of the job with the most; 0: the command has no jobs
    std::string csv;    ///< the file that the rows go to
    bool pins = false;  ///< each rank has a CPU
};

/// Mistakes in the command line are the driver's to name: here they count as no job.
Asked asked_for(int argc, char** argv, const Lab& lab) try {
    if (has_word(argc, argv, "--help") || has_word(argc, argv, "-h")) return {};
    const auto options = read_command_line(argc, argv, lab);
    if (!options) return {};
    if (options->command == Command::list || options->command == Command::columns) return {};
    int most = 0;
    for (std::size_t i = 0; i < std::size(kSettings); ++i)
        if (kSettings[i].value == &Settings::ranks)
            for (const int ranks : options->settings[i]) most = std::max(most, ranks);
    if (most == 0) most = default_ranks();
    if (options->command == Command::verify)
        for (const Settings& settings : verify_settings(kUsesRanks))
            most = std::max(most, settings.ranks);
    return {most, options->csv, options->command == Command::bench && options->pinning != "off"};
} catch (const Error&) {
    return {};
}

int as_rank(int argc, char** argv, const Lab& lab, bool pins) {
    MpiEnvironment mpi(&argc, &argv);
    // While bench runs, rank i of a machine stays on the i-th CPU; ranks that share none have a
    // core each. The driver pins rank 0's threads again, to the same CPU first.
    const auto place = static_cast<std::size_t>(place_on_machine());
    const auto cpus = pin_order(allowed_cpus(), cpus_of_machine());
    if (pins) pin_threads({cpus[place % cpus.size()]});
    if (mpi.rank() != 0) {
        // The driver ends the run after the current iteration, for which it needs this rank.
        for (const int signal : {SIGINT, SIGTERM, SIGHUP}) std::signal(signal, SIG_IGN);
        mpi.work();
        return 0;
    }
    const int code = hand_over(run_lab_here(argc, argv, lab));
    mpi.end_workers();
    return code;
}

/// Whether a process may read another's memory, which Open MPI does for long messages. In containers
/// it may be forbidden, which Open MPI finds out too late. A child tries it on this process, which
/// allows it to all, as Open MPI's ranks do.
bool can_read_processes() {
    char from = 1;
    prctl(PR_SET_PTRACER, PR_SET_PTRACER_ANY);
    const pid_t parent = getpid(), child = fork();
    if (child == 0) {
        char to = 0;
        const iovec source{&from, 1}, target{&to, 1};
        _exit(process_vm_readv(parent, &target, 1, &source, 1, 0) == 1 ? 0 : 1);
    }
    int status = 1;
    if (child > 0) waitpid(child, &status, 0);
    prctl(PR_SET_PTRACER, 0);
    return status == 0;
}

void set_environment(int ranks) {
    // Open MPI does not start for root, which is the only user in many containers.
    if (geteuid() == 0) {
        setenv("OMPI_ALLOW_RUN_AS_ROOT", "1", 0);
        setenv("OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1", 0);
    }
    setenv("HOME", "/tmp", 0);  // without, and for a user whom the system does not know, it crashes
    // If there are more ranks than cores, a rank that waits lets others run.
    if (ranks > core_count()) setenv("OMPI_MCA_mpi_yield_when_idle", "1", 0);
    // Where a machine has an IPv6 address, Open MPI 5 has a line for each pair of ranks otherwise.
    setenv("OMPI_MCA_reachable", "weighted", 0);
    if (!can_read_processes()) {
        setenv("OMPI_MCA_btl_vader_single_copy_mechanism", "none", 0);  // Open MPI 4
        setenv("OMPI_MCA_smsc", "^cma", 0);                             // Open MPI 5
    }
}

/// This program once more, with the same arguments, on ranks.
[[noreturn]] void become_mpirun(int ranks, int argc, char** argv) {
    prctl(PR_SET_PDEATHSIG, SIGTERM);
    set_environment(ranks);
    // mpirun would read what is meant for the caller's script.
    if (const int nothing = open("/dev/null", O_RDONLY); nothing >= 0) dup2(nothing, STDIN_FILENO);
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

/// Whether more than the header was written.
bool has_rows(const std::string& csv) {
    std::ifstream file(csv);
    std::string header;
    return std::getline(file, header) && file.peek() != EOF;
}

/// The first line of `mpirun --version`.
std::string version_of_mpirun() {
    std::string line(200, 0);
    const std::unique_ptr<std::FILE, int (*)(std::FILE*)> pipe(popen("mpirun --version 2>&1", "r"),
                                                               pclose);
    if (!pipe || !std::fgets(line.data(), static_cast<int>(line.size()), pipe.get())) return "";
    return line.substr(0, line.find_first_of(std::string("\n\0", 2)));
}

/// Where rank 0 handed over no exit code. code: mpirun's.
int explain(int code) {
    if (code == kNotStarted)
        return fail(
            "There is no mpirun on the PATH; install it (on Debian and Ubuntu openmpi-bin).");
    if (const auto version = version_of_mpirun(); version.find("Open MPI") == std::string::npos)
        return fail("The mpirun on the PATH is not Open MPI's ('" + version +
                    "'); put that of Open MPI first (on Debian and Ubuntu openmpi-bin).");
    if (code < kSignals) return fail("A rank failed, with exit code " + std::to_string(code) + '.');
    if (code - kSignals > SIGSYS)  // mpirun's own codes; no rank dies of a signal of real time
        return fail("mpirun could not start the ranks (its exit code is " + std::to_string(code) +
                    ").");
    return fail(std::string("A rank died: ") + strsignal(code - kSignals) +
                ". The others were stopped; of its output nothing was written.");
}

}  // namespace

int run_on_ranks(int argc, char** argv, const Lab& lab) {
    const auto [ranks, csv, pins] = asked_for(argc, argv, lab);
    if (started_ranks() > 0) return as_rank(argc, argv, lab, pins);
    if (ranks == 0) return run_lab(argc, argv, lab);
    std::error_code none;
    const bool is_new = !csv.empty() && !std::filesystem::exists(csv, none);
    const auto start = [&, ranks = ranks]() -> int { become_mpirun(ranks, argc, argv); };
    const int code = supervise(lab.name, start, explain);
    // On a busy machine, mpirun kills a driver that it has told to end before it has removed a file
    // without rows.
    if (is_new && !has_rows(csv)) std::filesystem::remove(csv, none);
    return code;
}

}  // namespace convolab::mpi
