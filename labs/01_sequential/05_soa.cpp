// SPDX-License-Identifier: MIT
// soa -- structure of arrays: R R ... G G ... B B ...
// Source: delbimbo2024, section 3.
// Idea: each channel is a separate image in memory, so a pass reads its bytes one after the
//     other. The report finds a small gain and explains it by coalescing (5.2), which exists only
//     on a GPU. Its text does not name the processor; its slides show times of a CPU.
// Since aos: two lines compute another index.
// Limit: instructions, many of them for the test of every tap.
// Alone: build/labs/01_sequential/lab bench --variant soa --size 1080p
#include "common/convolution/rounding.hpp"
#include "common/variant/cpu_variant.hpp"
#include "labs/01_sequential/variants.hpp"

namespace convolab {
namespace {

void convolve(const Unpadded<std::uint8_t, Layout::planar>& job, Image& result) {
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
                        sum += taps[j * k + i] * (inside ? in[(c * height + row) * width + column]
                                                         : job.outside(column, row, c));
                    }
                out[(c * result.height() + y) * result.width() + x] =
                    round_to_byte(sum, job.divisor);
            }
}

}  // namespace

const Variant soa = cpu_variant(
    {.name = "soa", .idea = "structure of arrays: bytes, planar, the same loops as aos"}, convolve);

}  // namespace convolab
