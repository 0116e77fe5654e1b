// SPDX-License-Identifier: MIT
#pragma once

#include <string>

namespace cuda_on_cpu::judge {

/// The message and, if it has neither, "Remedy: " where one cause is possible, or "Causes: a | b".
std::string with_advice(const std::string& sentence);

}  // namespace cuda_on_cpu::judge
