// SPDX-License-Identifier: MIT
// The border rules: what is assumed around the image. Around the pixels abcd:
//   constant     000 abcd 000   a value, default 0
//   replicate    aaa abcd ddd   the default
//   reflect      cba abcd dcb
//   reflect101   dcb abcd cba   of a one-pixel axis: that pixel
//   wrap         bcd abcd abc
//   valid        nothing: the output is smaller by K - 1 on each axis
//   renormalise  nothing: missing pixels are left out, and the sum is divided by the sum of the
//                taps that are inside
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "common/base/device_code.hpp"

namespace convolab {

enum class BorderRule { constant, replicate, reflect, reflect101, wrap, valid, renormalise };

struct Border {
    BorderRule rule = BorderRule::replicate;
    int value = 0;  ///< of `constant`: 0..255

    bool operator==(const Border&) const = default;
};

/// "reflect101", "constant", "constant:128". Throws a UsageError that names the rules.
Border parse_border(std::string_view text);
std::string to_string(const Border& border);
/// Every rule once; constant with a value that is not 0.
const std::vector<Border>& all_borders();

/// The pixel, 0 .. n - 1, that the rule puts at coordinate i of an axis of n pixels, for any i.
/// -1: none (constant, valid, renormalise).
HOST_DEVICE inline std::int64_t source_index(BorderRule rule, std::int64_t i, std::int64_t n) {
    if (i >= 0 && i < n) return i;
    switch (rule) {
        case BorderRule::replicate:
            return i < 0 ? 0 : n - 1;
        case BorderRule::reflect: {
            const std::int64_t period = 2 * n;
            const std::int64_t m = ((i % period) + period) % period;
            return m < n ? m : period - 1 - m;
        }
        case BorderRule::reflect101: {
            if (n == 1) return 0;
            const std::int64_t period = 2 * n - 2;
            const std::int64_t m = ((i % period) + period) % period;
            return m < n ? m : period - m;
        }
        case BorderRule::wrap:
            return ((i % n) + n) % n;
        default:
            return -1;
    }
}

}  // namespace convolab
