// SPDX-License-Identifier: MIT
#include "common/convolution/padding.hpp"

#include <vector>

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

void check_possible(const Computation& job) {
    if (job.border.rule == BorderRule::valid && (job.out_width() < 1 || job.out_height() < 1))
        throw Unsupported(
            "Border valid leaves no output: the image is smaller than the filter; use a larger "
            "image, a smaller filter or another border.");
    if (job.border.rule == BorderRule::renormalise && !job.filter.can_renormalise())
        throw Unsupported(
            "Border renormalise needs taps that add up to the divisor, with a positive "
            "sum in every part the image leaves; the filter '" +
            job.filter.name() + "' has not.");
}

Image pad(const Computation& job, PixelType type) {
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

std::int64_t padded_samples(const Computation& job) {
    const std::int64_t border = 2 * job.filter.radius();
    return (job.out_width() + border) * (job.out_height() + border) * job.image().channels();
}

}  // namespace convolab
