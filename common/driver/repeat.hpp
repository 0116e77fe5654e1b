// SPDX-License-Identifier: MIT
// A job in words, and the command that does it again.
#pragma once

#include <string>

#include "common/driver/options.hpp"
#include "common/variant/lab.hpp"

namespace convolab {

/// "gaussian 5x5, border replicate, random:17x31:48, 3 channels, uint8, planar, block 8"; without
/// the filter and the border where the operation has none.
std::string describe(const Operation& operation, const Variant& variant, const Job& job,
                     const std::string& picture);

/// The `lab run ... --check` that does this job of one image again. picture: as option --image
/// takes it.
std::string repeat_command(const std::string& program, const Variant& variant, const Job& job,
                           const std::string& picture);

/// The `lab verify` that compares this variant again, on pairs of frames.
std::string repeat_command(const Options& options, const Variant& variant);

}  // namespace convolab
