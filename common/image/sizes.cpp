// SPDX-License-Identifier: MIT
#include "common/image/sizes.hpp"

#include <algorithm>
#include <charconv>

#include "common/base/error.hpp"

namespace convolab {

const std::vector<Size>& standard_sizes() {
    static const std::vector<Size> sizes{{"480p", 853, 480},    {"720p", 1280, 720},
                                         {"1080p", 1920, 1080}, {"1440p", 2560, 1440},
                                         {"4k", 3840, 2160},    {"8k", 7680, 4320}};
    return sizes;
}

Size parse_size(std::string text) {
    std::transform(text.begin(), text.end(), text.begin(), [](char c) {
        return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
    });
    for (const Size& size : standard_sizes())
        if (size.name == text) return size;

    Size size{text, 0, 0};
    const char* end = text.data() + text.size();
    const auto width = std::from_chars(text.data(), end, size.width);
    if (width.ec == std::errc{} && width.ptr != end && *width.ptr == 'x') {
        const auto height = std::from_chars(width.ptr + 1, end, size.height);
        constexpr std::int64_t kMaxSide = 1 << 30;
        if (height.ec == std::errc{} && height.ptr == end && size.width >= 1 && size.height >= 1 &&
            size.width <= kMaxSide && size.height <= kMaxSide) {
            size.name = std::to_string(size.width) + "x" + std::to_string(size.height);
            for (const Size& named : standard_sizes())
                if (named.width == size.width && named.height == size.height) return named;
            return size;
        }
    }
    std::string names;
    for (const Size& known : standard_sizes()) names += known.name + ", ";
    throw UsageError("'" + text + "' is not a size: write one of " + names +
                     "or width x height in pixels, such as 853x480.");
}

std::vector<Size> size_list(const std::vector<std::string>& texts) {
    std::vector<Size> sizes;
    const auto add = [&](const Size& size) {
        const auto is_size = [&](const Size& one) {
            return one.width == size.width && one.height == size.height;
        };
        if (std::none_of(sizes.begin(), sizes.end(), is_size)) sizes.push_back(size);
    };
    for (const auto& text : texts)
        if (text == "all" || text == "ALL")  // a size, too, may be in capitals
            std::for_each(standard_sizes().begin(), standard_sizes().end(), add);
        else
            add(parse_size(text));
    return sizes;
}

}  // namespace convolab
