// Copyright (c) 2026 The Convolab authors
// SPDX-License-Identifier: MIT
//
// What a row says about the machine beyond its name. A value that the system does not show is
// "not shown" in a column of words, and empty in a column of numbers.
#pragma once

#include <string>

#include "common/measurement/csv.hpp"

namespace convolab {

/// The columns boot to turbo. system, processes: other folders than /sys and /proc, for tests.
Row machine_facts(const std::string& system = "/sys", const std::string& processes = "/proc");

inline constexpr const char* kNotShown = "not shown";

}  // namespace convolab
