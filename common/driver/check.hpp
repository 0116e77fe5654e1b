// Copyright (c) 2026 The Convolab authors
// SPDX-License-Identifier: MIT
//
// The comparison of a variant with the reference; the message, and the picture, where they differ.
#pragma once

#include <optional>
#include <string>

#include "common/driver/options.hpp"
#include "common/variant/lab.hpp"

namespace convolab {

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
