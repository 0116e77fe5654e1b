// SPDX-License-Identifier: MIT
// flat -- the padded image as one array of floats
// Source: ariano2023, sections 3.5 and 3.6.
// Idea: neighbours in the image are neighbours in memory. The loops run over the whole padded
//     image, like the grid of lab 03's padded, and skip the border, which has no output pixels. The
//     report's listing always skips 2 rows and columns, which is right only for 5x5. The report's
//     program and this file skip p.
// Since nested: the image is one allocation, instead of one per pixel.
// Limit: instructions, as in nested. A sample takes 4 bytes instead of 1, because it is a float.
// Alone: build/labs/01_sequential/lab bench --variant flat --size 1080p
#include "common/convolution/rounding.hpp"
#include "common/variant/cpu_variant.hpp"
#include "labs/01_sequential/variants.hpp"

namespace convolab {
namespace {

void convolve(const Padded<float>& job, Image& result) {
    const std::int64_t width = job.image.width();  // with the border
    const std::int64_t height = job.image.height();
    const int channels = job.image.channels();
    const int k = job.k;
    const int p = k / 2;
    const float* in = job.image.data<float>();
    const float* taps = job.taps.data();
    auto* out = result.data<std::uint8_t>();
    for (std::int64_t y = 0; y < height; ++y)
        for (std::int64_t x = 0; x < width; ++x) {
            if (x < p || y < p || x >= width - p || y >= height - p) continue;
            for (int c = 0; c < channels; ++c) {
                float sum = 0;
                for (int j = 0; j < k; ++j)
                    for (int i = 0; i < k; ++i)
                        sum +=
                            taps[j * k + i] * in[((y + j - p) * width + x + i - p) * channels + c];
                *out++ = round_to_byte(sum, job.divisor);
            }
        }
}

}  // namespace

const Variant flat =
    cpu_variant({.name = "flat", .idea = "the padded image as one array of floats"}, convolve);

}  // namespace convolab
