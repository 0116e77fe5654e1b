// Copyright (c) 2026 The Convolab authors
// SPDX-License-Identifier: MIT
#pragma once

#include <string>

namespace cuda_on_cpu::judge {

/// What helps against a mistake that the emulator tells in this sentence; empty: it says so itself.
std::string advice_for(const std::string& sentence);

}  // namespace cuda_on_cpu::judge
