// SPDX-License-Identifier: MIT
// The six standard sizes of the experiments, and sizes as users type them.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace convolab {

struct Size {
    std::string name;                    ///< "1080p", or "853x480" for one that has no name
    std::int64_t width = 0, height = 0;  ///< pixels
};

/// 480p, 720p, 1080p, 1440p, 4k, 8k, from small to large.
const std::vector<Size>& standard_sizes();

/// "1080p" (in any case) or "853x480". Throws UsageError.
Size parse_size(std::string text);

/// Each size once, also of "480p,853x480"; "all" is the six standard ones.
std::vector<Size> size_list(const std::vector<std::string>& texts);

}  // namespace convolab
