// Copyright (c) 2026 The Convolab authors
// SPDX-License-Identifier: MIT
//
// The verbs of a lab, each in the file of its name, and what they share.
#pragma once

#include <optional>
#include <string>

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

/// The reference's output of a job; computed once, for all variants.
struct Expected {
    Expected() = default;
    Expected(const Operation& operation, const Job& job);

    std::optional<Image> image;  ///< none: the reference refuses the job
    double allowed = 0;          ///< difference of a sample
};

/// Why a variant failed that threw a number, for example.
inline constexpr const char* kNoException = "It threw something that is not a std::exception.";

/// Throws Error where the variant accepts a job that the reference refuses.
Comparison compare(const Image& result, const Expected& expected);

/// "gaussian 5x5, border replicate, random:17x31:48, 3 channels, uint8, planar, block 8"; without
/// the filter and the border where the operation has none.
std::string describe(const Operation& operation, const Variant& variant, const Job& job,
                     const std::string& picture);

/// Draws where they differ, into the folder: a PNG named after `text`. Says where it is, or why
/// there is none.
void draw_difference(const std::string& folder, const std::string& text, const Image& result,
                     const Image& expected);

/// The `lab run ... --check` that does this job of one image again. picture: as option --image
/// takes it.
std::string repeat_command(const std::string& program, const Variant& variant, const Job& job,
                           const std::string& picture);

/// The `lab verify` that compares this variant again, on pairs of frames.
std::string repeat_command(const Options& options, const Variant& variant);

}  // namespace convolab
