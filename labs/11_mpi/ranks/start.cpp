// Copyright (c) 2026 The Convolab authors
// SPDX-License-Identifier: MIT
#include "labs/11_mpi/ranks/start.hpp"

#include <algorithm>
#include <csignal>
#include <cstring>
#include <filesystem>
#include <string>
#include <system_error>

#include "common/base/error.hpp"
#include "common/driver/options.hpp"
#include "common/driver/supervisor.hpp"
#include "common/measurement/machine.hpp"
#include "common/threads/pinning.hpp"
#include "common/threads/topology.hpp"
#include "labs/11_mpi/ranks/exit_code.hpp"
#include "labs/11_mpi/ranks/mpirun.hpp"
#include "labs/11_mpi/ranks/requests.hpp"
#include "labs/11_mpi/ranks/workers.hpp"

namespace convolab::mpi {
namespace {

constexpr double kPatience = 15;  // seconds in which mpirun ends its ranks

constexpr double kLongWait = 20;  // seconds in one call of MPI

bool has_word(int argc, char** argv, const char* word) {
    return std::any_of(argv + 1, argv + argc, [&](char* text) { return !std::strcmp(text, word); });
}

/// What a command line asks for.
struct Asked {
    int ranks = 0;    ///< of the job with the most; 0: the command has no jobs
    std::string csv;  ///< the file that the rows go to
};

/// Mistakes in the command line are the driver's to name: here they count as no job.
Asked asked_for(int argc, char** argv, const Lab& lab) try {
    if (has_word(argc, argv, "--help") || has_word(argc, argv, "-h")) return {};
    Options options;
    if (!read_command_line(argc, argv, lab, options)) return {};
    if (options.command == Command::list || options.command == Command::columns) return {};
    int most = 0;
    for (std::size_t i = 0; i < std::size(kSettings); ++i)
        if (kSettings[i].value == &Settings::ranks)
            for (const int ranks : options.settings[i]) most = std::max(most, ranks);
    if (most == 0) most = default_ranks();
    if (options.command == Command::verify)
        for (const Settings& settings : verify_settings(kUsesRanks))
            most = std::max(most, settings.ranks);
    return {most, options.csv};
} catch (const UsageError&) {
    return {};
}

/// While bench runs, rank i of a machine stays on the i-th CPU; ranks that share none have a core
/// each.
void pin(int argc, char** argv) {
    const int place = place_on_machine();
    if (!has_word(argc, argv, "bench") || has_word(argc, argv, "--no-pinning")) return;
    const auto cpus = pin_order(allowed_cpus(), cpus_of_machine());
    pin_threads({cpus[static_cast<std::size_t>(place) % cpus.size()]});
}

int as_rank(int argc, char** argv, const Lab& lab) {
    MpiEnvironment mpi(&argc, &argv);
    tell_long_waits(kLongWait);
    if (mpi.rank() != 0) {
        pin(argc, argv);
        // The driver ends the run after the current iteration, for which it needs this rank.
        for (const int signal : {SIGINT, SIGTERM, SIGHUP}) std::signal(signal, SIG_IGN);
        mpi.work();
        return 0;
    }
    pin(argc, argv);  // the driver pins this rank's threads again, to the same CPU first
    const int code = hand_over(run_lab_here(argc, argv, lab));
    mpi.end_workers();
    return code;
}

}  // namespace

int run_on_ranks(int argc, char** argv, const Lab& lab) {
    if (started_ranks() > 0) return as_rank(argc, argv, lab);
    const auto [ranks, csv] = asked_for(argc, argv, lab);
    if (ranks == 0) return run_lab(argc, argv, lab);
    std::error_code none;
    const bool is_new = !csv.empty() && !std::filesystem::exists(csv, none);
    const auto start = [&, ranks = ranks] { return under_mpirun(ranks, argc, argv); };
    const int code = is_supervised(argc, argv) ? supervise(lab.name, kPatience, start) : start();
    // Killed before its first row: the driver had no time to remove the empty file.
    if (is_new && std::filesystem::is_empty(csv, none) && !none) std::filesystem::remove(csv, none);
    return code;
}

}  // namespace convolab::mpi
