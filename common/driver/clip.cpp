// Copyright (c) 2026 The Convolab authors
// SPDX-License-Identifier: MIT
#include "common/driver/clip.hpp"

#include "common/image/sizes.hpp"
#include "common/video/synthetic.hpp"

namespace convolab {

std::unique_ptr<FrameSource> open_clip(const std::string& name, std::optional<int> length) {
    SyntheticSettings settings;
    if (length) settings.frames = *length;
    const std::size_t colon = name.find(':');
    const std::string kind = name.substr(0, colon);
    if (colon == std::string::npos || !synthetic_kind(kind)) return open_source(name, settings);
    const Size size = parse_size(name.substr(colon + 1));
    settings.width = size.width;
    settings.height = size.height;
    return open_source(kind, settings);
}

}  // namespace convolab
