// SPDX-License-Identifier: MIT
#include "labs/02_pthread/shared/nested_part.hpp"

#include "common/convolution/rounding.hpp"

namespace convolab {

// The loops over j and i compile to the same machine code as lab 01's nested. Do not put the number
// of channels into a variable: g++ would run out of registers, and move x to the stack and back for
// every row of taps.
void convolve(const Nested& job, const Rectangle& part, Image& result) {
    const std::vector<std::vector<std::vector<float>>>& image = job.image;
    const std::vector<std::vector<float>>& filter = job.filter;
    const std::size_t k = filter.size();
    for (std::int64_t y = part.y0; y < part.y1; ++y) {
        auto* out = result.data<std::uint8_t>() + result.index(part.x0, y, 0);
        for (std::int64_t x = part.x0; x < part.x1; ++x)
            for (int c = 0; c < result.channels(); ++c) {
                float sum = 0;
                for (std::size_t j = 0; j < k; ++j)
                    for (std::size_t i = 0; i < k; ++i)
                        sum += filter[j][i] * image[y + j][x + i][c];
                *out++ = round_to_byte(sum, job.divisor);
            }
    }
}

}  // namespace convolab
