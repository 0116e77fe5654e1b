// Copyright (c) 2026 The Convolab authors
// SPDX-License-Identifier: MIT
#include "common/convolution/padding.hpp"

#include <algorithm>

#include "common/base/error.hpp"

namespace convolab {
namespace {

template <class T>
void fill_padded(const Image& from, Image& to, int p, const Border& border) {
    std::vector<std::int64_t> columns(static_cast<std::size_t>(to.width()));
    for (std::int64_t x = 0; x < to.width(); ++x)
        columns[x] = source_index(border.rule, x - p, from.width());
    T* out = to.data<T>();
    const T value = static_cast<T>(border.value);
    for (std::int64_t y = 0; y < to.height(); ++y) {
        const std::int64_t row = source_index(border.rule, y - p, from.height());
        for (const std::int64_t column : columns)
            for (int c = 0; c < to.channels(); ++c)
                *out++ = row < 0 || column < 0 ? value : static_cast<T>(from.value(column, row, c));
    }
}

}  // namespace

void check_possible(const Job& job) {
    if (job.border.rule == BorderRule::valid && (job.out_width() < 1 || job.out_height() < 1))
        throw Unsupported("Border valid leaves no output: the image is smaller than the filter.");
    if (job.border.rule == BorderRule::renormalise && !job.filter.can_renormalise())
        throw Unsupported(
            "Border renormalise needs taps that add up to the divisor, with a positive "
            "sum in every part the image leaves; the filter '" +
            job.filter.name() + "' has not.");
}

Image pad(const Job& job, PixelType type) {
    check_possible(job);
    const Image& image = job.image();
    const int p = job.border.rule == BorderRule::valid ? 0 : job.filter.radius();
    if (p == 0) return convert(image, type, Layout::interleaved);
    Image padded(image.width() + 2 * p, image.height() + 2 * p, image.channels(), type);
    switch (type) {
        case PixelType::uint8:
            fill_padded<std::uint8_t>(image, padded, p, job.border);
            break;
        case PixelType::int32:
            fill_padded<std::int32_t>(image, padded, p, job.border);
            break;
        case PixelType::float32:
            fill_padded<float>(image, padded, p, job.border);
            break;
    }
    return padded;
}

Divisors::Divisors(const Job& job)
    : renormalise_(job.border.rule == BorderRule::renormalise),
      divisor_(job.filter.divisor()),
      ksize_(job.filter.ksize()),
      width_(job.image().width()),
      height_(job.image().height()) {
    check_possible(job);
    if (!renormalise_) return;
    const int n = ksize_ + 1;
    prefix_.resize(static_cast<std::size_t>(n) * n);
    for (int j = 0; j < ksize_; ++j)
        for (int i = 0; i < ksize_; ++i)
            prefix_[(j + 1) * n + i + 1] = prefix_[(j + 1) * n + i] + prefix_[j * n + i + 1] -
                                           prefix_[j * n + i] + job.filter.tap(i, j);
}

std::int32_t Divisors::taps_inside(std::int64_t x, std::int64_t y) const {
    const int p = ksize_ / 2;
    const std::int64_t n = ksize_ + 1;
    const std::int64_t i0 = std::max<std::int64_t>(0, p - x);
    const std::int64_t j0 = std::max<std::int64_t>(0, p - y);
    const std::int64_t i1 = std::min<std::int64_t>(ksize_, width_ + p - x);
    const std::int64_t j1 = std::min<std::int64_t>(ksize_, height_ + p - y);
    return prefix_[j1 * n + i1] - prefix_[j1 * n + i0] - prefix_[j0 * n + i1] +
           prefix_[j0 * n + i0];
}

}  // namespace convolab
