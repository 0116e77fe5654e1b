// SPDX-License-Identifier: MIT
// Exercise 3 of lab 01, README.md: 16-bit sums.
#include <algorithm>
#include <cmath>
#include <cstdint>

/// The 3x3 Gaussian 1 2 1, 2 4 2, 1 2 1, divided by 16 and rounded half up. A sample outside the
/// picture counts as 0. Both pictures are width * height samples of 8 bits, row by row.
void smooth(const std::uint8_t* in, std::uint8_t* out, int width, int height) {
    constexpr float taps[3] = {1, 2, 1};
    for (int y = 0; y < height; ++y)
        for (int x = 0; x < width; ++x) {
            float sum = 0;
            for (int j = std::max(0, 1 - y); j < std::min(3, height + 1 - y); ++j)
                for (int i = std::max(0, 1 - x); i < std::min(3, width + 1 - x); ++i)
                    sum += taps[j] * taps[i] * in[(y + j - 1) * width + x + i - 1];
            out[y * width + x] = static_cast<std::uint8_t>(std::floor(sum / 16 + 0.5f));
        }
}
