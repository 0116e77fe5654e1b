// SPDX-License-Identifier: MIT
// Runs a program and keeps what it says.
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace cuda_on_cpu::judge {

struct Ending {
    int exit_code = 0;  ///< -1: it was killed by a signal
    int signal = 0;
    std::string output, errors;  ///< stdout, stderr
    std::string results;         ///< a number for all that the host got from the device
    double largest_sum = 0;      ///< of floats, by atomic functions
    bool has_list = false;       ///< results of a kernel with atomic functions

    std::string how() const;  ///< "exit code 1"
};

using Settings = std::vector<std::pair<std::string, std::string>>;

/// `arguments` begin with the program; `settings` are added to the environment. The program reads
/// `input`, from its beginning, or the judge's input if that is -1. Throws std::runtime_error.
Ending run(const std::vector<std::string>& arguments, const Settings& settings, int input);

}  // namespace cuda_on_cpu::judge
