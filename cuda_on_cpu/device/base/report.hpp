// SPDX-License-Identifier: MIT
// Reports a kernel's mistake as one sentence on stderr, which is also kept for tests.
#pragma once

#include <string>

#include "kernel_launch.hpp"
#include "vector_types.hpp"

namespace cuda_on_cpu {

/// Prints the sentence, unless it repeats the last one.
void report(const std::string& sentence);
/// How many sentences were printed.
unsigned long reports();
/// Whether `cuda-on-cpu check` runs the program, because its shadow memory finds more than a single
/// run.
bool is_checked();
/// Prints a note about something that is no mistake, only under `cuda-on-cpu check`.
void note(const std::string& sentence);
/// The last reported sentence; empty if there was none since clear_report().
const std::string& last_report();
void clear_report();

/// "kernel blur, launched at lab.cu:12"
std::string name_of(const LaunchPlace& place);
/// "(x,y,z)"
std::string text_of(uint3 v);

}  // namespace cuda_on_cpu
