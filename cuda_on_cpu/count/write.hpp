// SPDX-License-Identifier: MIT
// What the program leaves when it ends: a table on stdout and, where these variables of the
// environment name a file, CUDA_ON_CPU_COUNT_CSV and CUDA_ON_CPU_COUNT_PICTURE.
#pragma once

#include <deque>
#include <string>
#include <vector>

#include "count/totals.hpp"

namespace cuda_on_cpu::count {

/// A line of a kernel; what it does not use has no requests.
struct Line {
    std::string file;
    int number = 0;
    Counts counts;
    std::map<Use, Sample> samples;
};
/// In the order of the source; empty for code without a line.
std::vector<Line> lines_of(const Kernel& kernel);

void write(const std::deque<Kernel>& kernels);
void write_picture(const std::string& path, const std::deque<Kernel>& kernels);

/// "global load"
const char* use_name(Use use);
/// "17.45 sectors per request"; empty if there is none.
std::string in_words(Use use, const Totals& totals);
/// What the figures mean and which are good.
constexpr const char* legend =
    "exact: a GPU does the same. model: it may do more, as lanes of a warp go different ways.\n"
    "Sectors of a request are best as few as hold the bytes of its lanes: 4 for 32 floats, 1 for\n"
    "32 chars; 32 are bad, one for each lane. Best are 0 bank conflicts, 1 word of constant "
    "memory.\n";
/// A kernel that asks nothing of memory, and has no barrier.
bool is_empty(const Kernel& kernel);

/// Writes the text, or says that it cannot and ends the program.
void write_file(const std::string& path, const std::string& text);

}  // namespace cuda_on_cpu::count
