// SPDX-License-Identifier: MIT
// Reports a finding: to the judge as a record, if one asks for it, else as one sentence on stderr. The
// sentence is also kept for tests.
#pragma once

#include <string>

#include "finding/finding.hpp"
#include "kernel_launch.hpp"
#include "vector_types.hpp"

namespace cuda_on_cpu {

/// Reports the finding, unless it repeats the last one.
void report(Finding finding);
void report(Weight weight, Finding finding);
/// Reports that the host's code uses a wrong pointer, in a handler of signals: allocates nothing.
void report_wrong_pointer();
/// How many mistakes were reported.
unsigned long reports();
/// Whether a judge runs the program and asks for records, in the file that CUDA_ON_CPU_FINDINGS
/// names.
bool is_checked();
/// Gives the judge a line.
void write_record(const std::string& line);
/// The last finding, with its advice; empty if there was none since clear_report().
const Finding& last_finding();
/// Its sentence, with the remedy.
std::string last_report();
void clear_report();

/// "kernel blur, launched at lab.cu:12"
Finding name_of(const LaunchPlace& place);
/// "argument 2"
std::string name_of(const Address& address);
/// "(x,y,z)"
std::string text_of(uint3 v);

}  // namespace cuda_on_cpu
