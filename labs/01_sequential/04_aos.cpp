// SPDX-License-Identifier: MIT
// aos -- array of structures: R G B R G B ...
// Source: delbimbo2024, section 3.
// Idea: the channels of a pixel are neighbours in memory. As in the report's listing 1, the loop
//     over the channels is the outermost one, so a pass over an RGB image uses one byte in three.
// Since bounds: samples are bytes, and the channel is the outermost loop.
// Limit: instructions, many of them for the test of every tap.
// Alone: build/labs/01_sequential/lab bench --variant aos --size 1080p
#include "common/convolution/rounding.hpp"
#include "common/variant/cpu_variant.hpp"
#include "labs/01_sequential/variants.hpp"

namespace convolab {
namespace {

void convolve(const Unpadded<std::uint8_t, Layout::interleaved>& job, Image& result) {
    const std::int64_t width = job.image.width();
    const std::int64_t height = job.image.height();
    const int channels = job.image.channels();
    const int k = job.k;
    const std::int64_t p = job.p;
    const auto* in = job.image.data<std::uint8_t>();
    const float* taps = job.taps.data();
    auto* out = result.data<std::uint8_t>();
    for (int c = 0; c < channels; ++c)
        for (std::int64_t y = 0; y < result.height(); ++y)
            for (std::int64_t x = 0; x < result.width(); ++x) {
                float sum = 0;
                for (int j = 0; j < k; ++j)
                    for (int i = 0; i < k; ++i) {
                        const std::int64_t row = y + j - p;
                        const std::int64_t column = x + i - p;
                        const bool inside =
                            row >= 0 && row < height && column >= 0 && column < width;
                        sum += taps[j * k + i] * (inside ? in[(row * width + column) * channels + c]
                                                         : job.outside(column, row, c));
                    }
                out[(y * result.width() + x) * channels + c] = round_to_byte(sum, job.divisor);
            }
}

}  // namespace

const Variant aos = cpu_variant(
    {.name = "aos", .idea = "array of structures: bytes, interleaved, one channel after the other"},
    convolve);

}  // namespace convolab
