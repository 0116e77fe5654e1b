// SPDX-License-Identifier: MIT
#pragma once

#include <string>

namespace cuda_on_cpu::judge {

/// The remedy for the mistake that this message of the emulator names; empty: the message has one.
std::string advice_for(const std::string& sentence);

}  // namespace cuda_on_cpu::judge
