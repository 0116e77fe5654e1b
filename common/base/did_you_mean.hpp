// Copyright (c) 2026 The Convolab authors
// SPDX-License-Identifier: MIT
//
// What to say of a name that is not known.
#pragma once

#include <algorithm>
#include <cctype>
#include <string>
#include <vector>

namespace convolab {

/// "did you mean 'sobel_x'?" for Sobel-X, which is one of `names` but for capitals and hyphens;
/// else `otherwise`.
inline std::string did_you_mean(std::string text, const std::vector<std::string>& names,
                                const std::string& otherwise) {
    std::transform(text.begin(), text.end(), text.begin(), [](unsigned char c) {
        return c == '-' ? '_' : static_cast<char>(std::tolower(c));
    });
    for (const auto& name : names)
        if (name == text) return "did you mean '" + name + "'?";
    return otherwise;
}

}  // namespace convolab
