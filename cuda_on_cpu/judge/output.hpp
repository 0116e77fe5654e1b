// Copyright (c) 2026 The Convolab authors
// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "run.hpp"

namespace cuda_on_cpu::judge {

/// Where two outputs differ, in words; empty where they do not. Numbers may differ by a
/// thousandth (sums of float in another order), and times as they like.
std::string first_difference(const std::string& first, const std::string& second);

/// Whether both have printed the same, and have got the same from the device.
bool has_same_results(const Ending& first, const Ending& second);

}  // namespace cuda_on_cpu::judge
