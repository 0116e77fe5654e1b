// Copyright (c) 2026 The Convolab authors
// SPDX-License-Identifier: MIT
#include "common/convolution/renormalise.hpp"

#include <algorithm>
#include <type_traits>

#include "common/convolution/rounding.hpp"

namespace convolab {
namespace {

/// 8-bit samples add up exactly in 32 bits (filter.hpp), float32 samples in double.
template <class T>
using Sum = std::conditional_t<std::is_same_v<T, float>, double, std::int32_t>;

/// The channels of pixel (x, y), from the taps inside the image.
template <class T>
void renormalise_pixel(const Job& job, Image& out, const T* in, T* results, std::int64_t x,
                       std::int64_t y) {
    const Image& image = job.image();
    const std::int64_t k = job.filter.ksize();
    const std::int64_t p = job.filter.radius();
    const std::int64_t i0 = std::max<std::int64_t>(0, p - x);
    const std::int64_t j0 = std::max<std::int64_t>(0, p - y);
    const std::int64_t i1 = std::min(k, image.width() + p - x);
    const std::int64_t j1 = std::min(k, image.height() + p - y);
    const std::size_t step = image.layout() == Layout::interleaved ? image.channels() : 1;
    for (int c = 0; c < image.channels(); ++c) {
        Sum<T> sum = 0;
        std::int32_t divisor = 0;
        for (std::int64_t j = j0; j < j1; ++j) {
            const std::int32_t* taps = job.filter.taps().data() + j * k;
            const T* row = in + image.index(x - p + i0, y - p + j, c);
            for (std::int64_t i = i0; i < i1; ++i, row += step) {
                sum += static_cast<Sum<T>>(taps[i]) * static_cast<Sum<T>>(*row);
                divisor += taps[i];
            }
        }
        T& result = results[out.index(x, y, c)];
        if constexpr (std::is_same_v<T, float>)
            result = static_cast<float>(sum / divisor);
        else
            result = round_to_byte(std::int64_t{sum}, std::int64_t{divisor});
    }
}

template <class T>
void renormalise_rows(const Job& job, Image& out, std::int64_t y0, std::int64_t y1) {
    const T* in = job.image().data<T>();
    T* results = out.data<T>();
    const std::int64_t p = job.filter.radius();
    const std::int64_t width = out.width();
    for (std::int64_t y = y0; y < y1; ++y) {
        const bool all = y < p || y >= out.height() - p;
        const std::int64_t left = all ? width : std::min(p, width);
        for (std::int64_t x = 0; x < left; ++x) renormalise_pixel(job, out, in, results, x, y);
        for (std::int64_t x = std::max(left, width - p); x < width; ++x)
            renormalise_pixel(job, out, in, results, x, y);
    }
}

}  // namespace

void renormalise_frame(const Job& job, Image& out, std::int64_t y0, std::int64_t y1) {
    if (job.border.rule != BorderRule::renormalise) return;
    switch (out.type()) {
        case PixelType::uint8:
            return renormalise_rows<std::uint8_t>(job, out, y0, y1);
        case PixelType::int32:
            return renormalise_rows<std::int32_t>(job, out, y0, y1);
        case PixelType::float32:
            return renormalise_rows<float>(job, out, y0, y1);
    }
}

}  // namespace convolab
