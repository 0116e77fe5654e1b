// SPDX-License-Identifier: MIT
// nested -- the image and the filter as vectors of vectors
// Source: ariano2023, sections 3.2 and 3.3.
// Idea: this is the program that one writes first. The image is a vector of rows, which are vectors
//     of pixels, which are vectors of channels. A border of p pixels saves the tests for the edge.
// Limit: instructions. The additions of a sample wait for each other, but the processor begins the
//     next samples meanwhile; only with a large K does this chain set the time. A pixel takes 56
//     bytes for 3 bytes of colour.
// Alone: build/labs/01_sequential/lab bench --variant nested --size 1080p
#include "common/convolution/rounding.hpp"
#include "common/variant/cpu_variant.hpp"
#include "common/variant/nested_image.hpp"
#include "labs/01_sequential/variants.hpp"

namespace convolab {
namespace {

void convolve(const Nested& job, Image& result) {
    const std::vector<std::vector<std::vector<float>>>& image = job.image;
    const std::vector<std::vector<float>>& filter = job.filter;
    const std::size_t k = filter.size();
    auto* out = result.data<std::uint8_t>();
    for (std::int64_t y = 0; y < result.height(); ++y)
        for (std::int64_t x = 0; x < result.width(); ++x)
            for (int c = 0; c < result.channels(); ++c) {
                float sum = 0;
                for (std::size_t j = 0; j < k; ++j)
                    for (std::size_t i = 0; i < k; ++i)
                        sum += filter[j][i] * image[y + j][x + i][c];
                *out++ = round_to_byte(sum, job.divisor);
            }
}

}  // namespace

const Variant nested = cpu_variant(
    {.name = "nested", .idea = "image and filter as vectors of vectors of float"}, convolve);

}  // namespace convolab
