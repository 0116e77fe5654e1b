// SPDX-License-Identifier: MIT
// Text that a user types: names in any case, and numbers.
#pragma once

#include <algorithm>
#include <cctype>
#include <charconv>
#include <filesystem>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

#include "common/base/error.hpp"

namespace convolab {

/// "did you mean 'sobel_x'?" for Sobel-X, which equals one of `names` except for capitals and
/// hyphens; `otherwise` for other texts.
inline std::string did_you_mean(std::string text, const std::vector<std::string>& names,
                                const std::string& otherwise) {
    std::transform(text.begin(), text.end(), text.begin(), [](unsigned char c) {
        return c == '-' ? '_' : static_cast<char>(std::tolower(c));
    });
    for (const auto& name : names)
        if (name == text) return "did you mean '" + name + "'?";
    return otherwise;
}

/// ".mp4" of "CLIP.MP4", in lower-case letters; empty if the name has no ending.
inline std::string file_ending(const std::filesystem::path& path) {
    std::string ending = path.extension().string();
    std::transform(ending.begin(), ending.end(), ending.begin(),
                   [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    return ending;
}

/// Throws UsageError, which names the option.
inline int whole_number(std::string_view text, const std::string& option, int least, int greatest) {
    int value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc{} || end != text.data() + text.size() || value < least ||
        value > greatest)
        throw UsageError("Option " + option + " takes whole numbers from " + std::to_string(least) +
                         " to " + std::to_string(greatest) + ", not '" + std::string(text) + "'.");
    return value;
}

inline double decimal_number(const std::string& text, const std::string& option) {
    double value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc{} || end != text.data() + text.size())
        throw UsageError("Option " + option + " takes a number such as 1.5, not '" + text + "'.");
    return value;
}

}  // namespace convolab
