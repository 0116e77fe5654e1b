// Copyright (c) 2026 The Convolab authors
// SPDX-License-Identifier: MIT
//
// What the emulator says when a kernel makes a mistake: one sentence on stderr, kept for tests.
#pragma once

#include <string>

#include "kernel_launch.hpp"
#include "vector_types.hpp"

namespace cuda_on_cpu {

/// Prints the sentence, unless it is the last one once more.
void report(const std::string& sentence);
/// How many were printed.
unsigned long reports();
/// Whether `cuda-on-cpu check` runs the program: its shadow knows more than a single run can.
bool is_checked();
/// What is no mistake, but worth knowing: for `cuda-on-cpu check` alone.
void note(const std::string& sentence);
/// The last sentence reported; empty where there was none since clear_report().
const std::string& last_report();
void clear_report();

/// "kernel blur, launched at lab.cu:12"
std::string name_of(const LaunchPlace& place);
/// "(x,y,z)"
std::string text_of(uint3 v);

}  // namespace cuda_on_cpu
