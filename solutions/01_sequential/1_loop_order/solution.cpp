// SPDX-License-Identifier: MIT
// Exercise 1 of lab 01: walk along the rows.
#include <cstdint>

/// out(x, y) is the sum of three neighbours in a row, divided by 3; outside the picture is 0.
/// width * height samples of 8 bits, row by row.
void smooth(const std::uint8_t* in, std::uint8_t* out, int width, int height) {
    for (int y = 0; y < height; ++y) {
        const std::uint8_t* row = in + y * width;
        std::uint8_t* out_row = out + y * width;
        for (int x = 1; x < width - 1; ++x)
            out_row[x] = static_cast<std::uint8_t>((row[x - 1] + row[x] + row[x + 1]) / 3);
        out_row[0] = static_cast<std::uint8_t>((row[0] + (width > 1 ? row[1] : 0)) / 3);
        out_row[width - 1] =
            static_cast<std::uint8_t>(((width > 1 ? row[width - 2] : 0) + row[width - 1]) / 3);
    }
}
