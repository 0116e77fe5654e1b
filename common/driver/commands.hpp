// Copyright (c) 2026 The Convolab authors
// SPDX-License-Identifier: MIT
//
// The verbs of a lab, each in the file of its name. All return the exit code.
#pragma once

#include "common/driver/options.hpp"
#include "common/measurement/csv.hpp"
#include "common/variant/lab.hpp"

namespace convolab {

int run_command(const Lab& lab, const Options& options);
/// With --video.
int run_video_command(const Lab& lab, const Options& options);
int bench_command(const Lab& lab, const Options& options);
int verify_command(const Lab& lab, const Options& options);
int timeline_command(const Lab& lab, const Options& options);

/// Set by SIGINT or SIGTERM; the commands end after the current iteration.
bool interrupted();
/// 128 + the signal's number.
int interrupted_exit_code();
void catch_interrupts();

/// The columns that say which program made a row, on what machine.
Row origin_row(const Lab& lab, const Variant& variant);

}  // namespace convolab
