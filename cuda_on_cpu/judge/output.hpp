// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "run.hpp"

namespace cuda_on_cpu::judge {

/// Describes the first difference of two outputs; empty if there is none. Numbers may differ by a
/// thousandth, those that are no integers by `rounding`, too, and times as they like.
std::string first_difference(const std::string& first, const std::string& second, double rounding);

/// Whether they have printed something else, or end with another exit code.
bool is_different(const Ending& first, const Ending& second);

}  // namespace cuda_on_cpu::judge
