// Copyright (c) 2026 The Convolab authors
// SPDX-License-Identifier: MIT
//
// The commands of a lab program and their options, but for the settings (settings.hpp).
#pragma once

#include "common/driver/options.hpp"

namespace convolab::option_table {

/// Commands that an option belongs to.
enum In : unsigned { kNone = 0, kRun = 1, kVerify = 2, kBench = 4, kTimeline = 8 };

struct CommandName {
    Command command;
    In in;
    const char* name;
    const char* meaning;
};
inline constexpr CommandName kCommands[] = {
    {Command::list, kNone, "list", "the variants of this lab"},
    {Command::columns, kNone, "columns", "the columns of the result files, as CSV"},
    {Command::run, kRun, "run", "filter one picture or one clip"},
    {Command::verify, kVerify, "verify", "compare every variant with the reference, byte for byte"},
    {Command::bench, kBench, "bench", "verify, time, verify again; one row per configuration"},
    {Command::timeline, kTimeline, "timeline",
     "when each copy and kernel of one run began and ended; one row per step"},
};

enum class Takes { nothing, one, list };
using enum Takes;

struct OptionLine {
    const char* name;
    unsigned in;
    Takes takes;
    const char* meaning;
};
inline constexpr OptionLine kOptions[] = {
    {"--image", kRun, one,
     "a PNG, scene:SIZE, white:SIZE, or random:SIZE:SEED; SIZE as in 480p or 853x480"},
    {"--image", kVerify, one, "a PNG to compare with, in addition to the built-in pictures"},
    {"--image", kBench, one,
     "scene (default), random, or a PNG, cropped and resampled to each size; labs of video: moving "
     "(default), panning, static, black"},
    {"--video", kRun, one,
     "a clip instead of a picture: a video file, a .y4m file, - (Y4M), a folder of PNGs, 0 (the "
     "first camera), or moving, panning, static, black with :SIZE"},
    {"--length", kRun, one, "maximum number of frames (default: all; of a synthetic clip 100)"},
    {"--out", kRun, one, "the PNG to write; for a clip a video file, .y4m, -, or folder/"},
    {"--check", kRun, nothing, "compare the output with the reference"},
    {"--variant", kRun, one, "one variant (default: the lab's best)"},
    {"--variant", kVerify | kBench | kTimeline, list,
     "one variant, or a list with commas (default: all)"},
    {"--filter", kRun | kBench | kTimeline, one,
     "identity box gaussian sharpen edge laplacian emboss sobel_x sobel_y unsharp, or taps: "
     "\"3x3: 1 2 1 2 4 2 1 2 1 / 16\" (default: gaussian); lab 10: "
     "box, gaussian or median"},
    {"--ksize", kRun | kTimeline, list, "side K of the filter, odd"},
    {"--ksize", kBench, list, "side K of the filter, odd; or a list with commas"},
    {"--sigma", kRun | kBench | kTimeline, one, "standard deviation of the Gaussian in pixels"},
    {"--border", kRun | kBench | kTimeline, one,
     "constant[:VALUE] replicate reflect reflect101 wrap valid renormalise (default: replicate)"},
    {"--type", kRun | kBench | kTimeline, one,
     "uint8, int32 or float32 (default: the variant's first)"},
    {"--channels", kRun | kBench | kTimeline, one,
     "1, 3 or 4 (default: the variant's first; run: the picture's)"},
    {"--layout", kRun, one, "interleaved or planar (default: interleaved)"},
    {"--size", kVerify, list,
     "only the scene at these sizes, with 5x5 (default: the protocol's sizes, after all other "
     "pictures)"},
    {"--size", kBench, list,
     "480p 720p 1080p 1440p 4k 8k, all, or 853x480; a list with commas (default: all)"},
    {"--size", kTimeline, list, "one size (default: 8k)"},
    {"--quick", kVerify, nothing, "small pictures, and few larger ones"},
    {"--data", kBench, one, "folder with the PNGs of `make data` (default: the scene is drawn)"},
    {"--iterations", kBench, one, "timed runs (default: 100)"},
    {"--rounds", kBench, one,
     "in a round all configurations of a size take turns (default: 10 rounds, of at least 5 runs)"},
    {"--warmup", kBench, one, "untimed runs before those of each round (default: 1)"},
    {"--seed", kBench, one, "of the random order in a round (default: a new one in each call)"},
    {"--no-pinning", kBench, nothing, "let the system move the threads between CPUs"},
    {"--cold", kBench, nothing, "empty the caches before each run"},
    {"--kernel-only", kBench, nothing, "do not time the copies: total_ms stays empty (GPU)"},
    {"--only-timed", kBench, nothing, "leave out GPU variants where there is no GPU to time them"},
    {"--csv", kVerify, one, "append the results to this file"},
    {"--csv", kBench, one, "append the rows to this file and continue from it"},
    {"--csv", kTimeline, one, "write the rows to this file"},
    {"--csv", kRun, one,
     "append a row to this file: a clip's frames per second, the time of each stage"},
    {"--fresh", kVerify | kBench, nothing, "drop the rows that are in the file"},
    {"--pictures", kVerify, one, "folder for a picture of each failure"},
    {"--time-limit", kVerify | kBench, one,
     "seconds after which a variant that has not ended has failed (default: 60, and more for large "
     "pictures)"},
    {"--plan", kBench, nothing, "print the expected seconds and stop"},
    {"--count", kBench, nothing, "print the number of rows, on any machine, and stop"},
};

}  // namespace convolab::option_table
