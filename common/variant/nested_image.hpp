// SPDX-License-Identifier: MIT
// The image and the filter as vectors of vectors (ariano2023, sections 3.2 and 3.3). Each pixel is
// a separate allocation. Lab 01 shows what that costs; lab 02 divides the work among threads.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "common/convolution/padding.hpp"
#include "common/variant/job.hpp"

namespace convolab {

struct Nested {
    using Image3 = std::vector<std::vector<std::vector<float>>>;
    using Filter2 = std::vector<std::vector<float>>;

    explicit Nested(const Job& job)
        : filter(job.filter.ksize(), std::vector<float>(job.filter.ksize())),
          divisor(static_cast<float>(job.filter.divisor())) {
        const Image padded = pad(job, PixelType::uint8);
        const auto* sample = padded.data<std::uint8_t>();
        image.resize(padded.height());
        for (auto& row : image) {
            row.reserve(padded.width());
            for (std::int64_t x = 0; x < padded.width(); ++x, sample += padded.channels())
                row.emplace_back(sample, sample + padded.channels());
        }
        for (int j = 0; j < job.filter.ksize(); ++j)
            for (int i = 0; i < job.filter.ksize(); ++i)
                filter[j][i] = static_cast<float>(job.filter.tap(i, j));
    }

    Image3 image;    ///< [row][column][channel], with p pixels of border on each side
    Filter2 filter;  ///< [row][column]
    float divisor;

    static std::int64_t bytes(const Job& job) {
        // glibc serves a request of n bytes with n + 8, rounded up to 16, at least 32.
        const std::int64_t channels = job.image().channels();
        const std::int64_t chunk = std::max<std::int64_t>(32, (4 * channels + 8 + 15) / 16 * 16);
        const auto vector = static_cast<std::int64_t>(sizeof(std::vector<float>));
        // A pixel, and its bytes in the padded copy that the pixels are made from.
        return padded_samples(job) / channels * (vector + chunk + channels);
    }
};

}  // namespace convolab
