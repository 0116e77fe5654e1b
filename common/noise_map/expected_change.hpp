// SPDX-License-Identifier: MIT
// What counts as a change, for the references of labs 09 and 10. The variants include change.hpp.
// The rule stands here a second time, so that verify finds a mistake in that header.
#pragma once

#include <cstdint>

namespace convolab::noise {

inline bool expects_sample_change(int a, int b) { return a > b + 20 || b > a + 20; }

inline bool expects_pixel_change(const std::uint8_t* a, const std::uint8_t* b) {
    for (int c = 0; c < 3; ++c)
        if (expects_sample_change(a[c], b[c])) return true;
    return false;
}

}  // namespace convolab::noise
