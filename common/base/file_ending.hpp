// Copyright (c) 2026 The Convolab authors
// SPDX-License-Identifier: MIT
//
// What a file is by the ending of its name.
#pragma once

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <string>

namespace convolab {

/// ".mp4" of "CLIP.MP4": in lower-case letters; empty where the name has no ending.
inline std::string file_ending(const std::filesystem::path& path) {
    std::string ending = path.extension().string();
    std::transform(ending.begin(), ending.end(), ending.begin(),
                   [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    return ending;
}

}  // namespace convolab
