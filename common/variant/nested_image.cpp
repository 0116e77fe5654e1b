// Copyright (c) 2026 The Convolab authors
// SPDX-License-Identifier: MIT
#include "common/variant/nested_image.hpp"

#include <algorithm>

#include "common/convolution/rounding.hpp"

namespace convolab {

NestedConvolution::NestedConvolution(const Job& job) {
    const Image padded = pad(job, PixelType::uint8);
    const auto* sample = padded.data<std::uint8_t>();
    image_.assign(static_cast<std::size_t>(padded.height()), {});
    for (auto& row : image_) {
        row.reserve(static_cast<std::size_t>(padded.width()));
        for (std::int64_t x = 0; x < padded.width(); ++x, sample += padded.channels())
            row.emplace_back(sample, sample + padded.channels());
    }
    const int k = job.filter.ksize();
    filter_.assign(k, std::vector<float>(k));
    for (int j = 0; j < k; ++j)
        for (int i = 0; i < k; ++i) filter_[j][i] = static_cast<float>(job.filter.tap(i, j));
}

void NestedConvolution::convolve(const Rectangle& rectangle, const Divisors& divisors,
                                 Image& out) const {
    const std::size_t ksize = filter_.size();
    const auto channels = static_cast<std::size_t>(out.channels());
    auto* results = out.data<std::uint8_t>();
    for (auto y = rectangle.y0; y < rectangle.y1; ++y)
        for (auto x = rectangle.x0; x < rectangle.x1; ++x) {
            const auto divisor = static_cast<float>(divisors.at(x, y));
            for (std::size_t c = 0; c < channels; ++c) {
                float sum = 0;
                for (std::size_t j = 0; j < ksize; ++j)
                    for (std::size_t i = 0; i < ksize; ++i)
                        sum += filter_[j][i] * image_[y + j][x + i][c];
                results[out.index(x, y, static_cast<int>(c))] = round_to_byte(sum, divisor);
            }
        }
}

MemoryNeed nested_memory(const Job& job) {
    // glibc serves a request of n bytes with n + 8 rounded up to 16, at least 32.
    const std::int64_t chunk =
        std::max<std::int64_t>(32, (4 * job.image().channels() + 8 + 15) / 16 * 16);
    const std::int64_t pixel = static_cast<std::int64_t>(sizeof(std::vector<float>)) + chunk;
    const std::int64_t padded =
        (job.out_width() + 2 * job.filter.radius()) * (job.out_height() + 2 * job.filter.radius());
    const std::int64_t bytes =
        job.image().channels();  // a pixel of the padded uint8 copy, of the output
    return {padded * (pixel + bytes) + job.out_width() * job.out_height() * bytes, 0};
}

}  // namespace convolab
