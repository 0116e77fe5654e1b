// SPDX-License-Identifier: MIT
// bounds -- no padded copy: a test for every tap
// Source: cazzola2024, Alg. 1; chisci2024, Fig. 3.
// Idea: each tap tests whether it falls inside the image. If it does not, job.outside() returns the
//     sample that the border rule chooses. Samples are int32 (as in chisci2024), float32 that is
//     neither rounded nor clamped (cazzola2024), or bytes.
// Since flat: there is no second, padded image to make, but there are four comparisons per tap.
// Limit: instructions. Only pixels near the border fail a test, but every tap is tested, and the
//     compiler cannot use SIMD.
// Alone: build/labs/01_sequential/lab bench --variant bounds --type float32 --size 1080p
#include "common/convolution/rounding.hpp"
#include "common/variant/cpu_variant.hpp"
#include "labs/01_sequential/variants.hpp"

namespace convolab {
namespace {

template <class T>
void convolve(const Unpadded<T>& job, Image& result) {
    const std::int64_t width = job.image.width();
    const std::int64_t height = job.image.height();
    const int channels = job.image.channels();
    const int k = job.k;
    const std::int64_t p = job.p;
    const T* in = job.image.template data<T>();
    const float* taps = job.taps.data();
    T* out = result.data<T>();
    for (std::int64_t y = 0; y < result.height(); ++y)
        for (std::int64_t x = 0; x < result.width(); ++x)
            for (int c = 0; c < channels; ++c) {
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
                *out++ = to_sample<T>(sum, job.divisor);
            }
}

}  // namespace

const Variant bounds =
    cpu_variant({.name = "bounds",
                 .idea = "no padded copy: a test for every tap; int32, float32 or uint8",
                 .types = {PixelType::int32, PixelType::float32, PixelType::uint8}},
                convolve<std::int32_t>, convolve<float>, convolve<std::uint8_t>);

}  // namespace convolab
