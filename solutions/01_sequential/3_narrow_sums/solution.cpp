// SPDX-License-Identifier: MIT
// Exercise 3 of lab 01: 16-bit sums.
#include <cstdint>
#include <vector>

/// The 3x3 Gaussian 1 2 1, 2 4 2, 1 2 1, divided by 16 and rounded half up; outside the picture is
/// 0. width * height samples of 8 bits, row by row.
void smooth(const std::uint8_t* in, std::uint8_t* out, int width, int height) {
    const std::vector<std::uint8_t> black(width);
    std::vector<std::uint16_t> columns(width + 2);  // with a 0 before and behind the row
    std::uint16_t* sums = &columns[1];
    for (int y = 0; y < height; ++y) {
        const std::uint8_t* middle = in + y * width;
        const std::uint8_t* above = y > 0 ? middle - width : black.data();
        const std::uint8_t* below = y < height - 1 ? middle + width : black.data();
        for (int x = 0; x < width; ++x) sums[x] = above[x] + 2 * middle[x] + below[x];
        std::uint8_t* out_row = out + y * width;
        for (int x = 0; x < width; ++x) {
            const std::uint16_t sum = sums[x - 1] + 2 * sums[x] + sums[x + 1] + 8;
            out_row[x] = static_cast<std::uint8_t>(sum >> 4);
        }
    }
}
