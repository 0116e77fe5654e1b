// SPDX-License-Identifier: MIT
// A request as an SVG: the lanes of the warp over the memory that they touch.
#pragma once

#include <string>

#include "count/totals.hpp"

namespace cuda_on_cpu::count {

/// Global memory: a line for each sector, with a colour that no other sector has. Shared memory: lines
/// of 32 words, one of each bank; a word has the colour of its wavefront. A
/// cell has the number of the first lane that asks for it.
std::string request_picture(const std::string& title, Use use, const Request& request);

/// With &lt; for <.
std::string escaped(const std::string& text);

}  // namespace cuda_on_cpu::count
