// Copyright (c) 2026 The Convolab authors
// SPDX-License-Identifier: MIT
//
// The verbs of a lab, each in the file of its name, and what they share.
#pragma once

#include "common/driver/options.hpp"
#include "common/image/sizes.hpp"
#include "common/measurement/csv.hpp"
#include "common/variant/lab.hpp"

namespace convolab {

/// All return the exit code.
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

/// Whether a job fits is asked before memory is taken: what Variant::memory says; without it, image and output.
MemoryNeed memory_need(const Variant& variant, const Job& job);

/// Throws Skipped, with both numbers, where host or device have less free memory than that.
void require_memory(const Lab& lab, const Variant& variant, const Job& job);

/// The same for the pictures of a job, drawn at this size, and what the reference makes of them.
void require_picture_memory(const Size& size, int channels, PixelType type, int frames);

}  // namespace convolab
