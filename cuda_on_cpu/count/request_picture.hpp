// SPDX-License-Identifier: MIT
// A request as an SVG: the lanes of the warp over the memory that they touch.
#pragma once

#include <string>

#include "count/totals.hpp"

namespace cuda_on_cpu::count {

/// Each row of squares is 128 bytes: 32 words, 4 sectors or once all banks. A square has the number
/// of the first lane that touches it. Its colour is that of its sector in global memory; in shared
/// memory of the wavefront that serves it. More than 32 rows are not drawn.
std::string request_picture(const std::string& title, Use use, const Request& request);

/// With &lt; for <.
std::string escaped(const std::string& text);

}  // namespace cuda_on_cpu::count
