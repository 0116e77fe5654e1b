// SPDX-License-Identifier: MIT
// Runs a program, keeps what it prints, and compares that of two runs.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "finding/finding.hpp"

namespace cuda_on_cpu::judge {

struct RunResult {
    int exit_code = 0;  ///< -1: it was killed by a signal
    int signal = 0;
    std::string output, errors;     ///< stdout, stderr
    std::vector<Finding> findings;  ///< as they were made
    std::string results;            ///< a number for all that the host got from the device
    double largest_sum = 0;         ///< of floats, by atomic functions
    bool has_list = false;          ///< results of a kernel with atomic functions
    bool has_host_visible = false;  ///< pinned or managed memory

    std::string ending() const;  ///< "exit code 1"
};

class Input;
using Settings = std::vector<std::pair<std::string, std::string>>;

/// `arguments` begin with the program; `settings` are added to the environment. The program reads
/// `input`, or the judge's own if that is nullptr. If its output `is_shown`, it is not kept. Throws
/// std::runtime_error.
RunResult run_program(const std::vector<std::string>& arguments, const Settings& settings,
                      Input* input, bool is_shown = false);
/// A file in memory. Throws std::runtime_error.
int memory_file(const char* name);
[[noreturn]] void fail(const std::string& what);  ///< with what errno says

/// Describes the first difference of two outputs; empty if there is none. Numbers may differ by a
/// thousandth, those that are no integers by `rounding`, too, and times as they like.
std::string first_difference(const std::string& first, const std::string& second, double rounding);

/// Whether a number there is so small that its bits are those of an integer.
bool has_integer_bits(const std::string& text);

/// Whether they have printed something else, or end with another exit code.
bool is_different(const RunResult& first, const RunResult& second);

}  // namespace cuda_on_cpu::judge
