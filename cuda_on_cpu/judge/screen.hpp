// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "finding/finding.hpp"

namespace cuda_on_cpu::judge {

/// Lines of at most 100 columns, those after the first below the end of `head`.
std::string wrapped(const std::string& head, const std::string& text);
/// A finding behind its head: what has happened, the lines of the program that it names, and why.
std::string prose(const std::string& head, const Finding& finding);

}  // namespace cuda_on_cpu::judge
