// SPDX-License-Identifier: MIT
#include "common/image/resample.hpp"

#include <algorithm>
#include <string>
#include <vector>

#include "common/base/error.hpp"

namespace convolab {
namespace {

/// For each output position of an axis: where its source samples start and their integer weights,
/// which have the same sum everywhere.
struct Axis {
    std::vector<std::int64_t> first;
    std::vector<std::size_t> start;  ///< into weights; one more entry than positions
    std::vector<std::uint32_t> weights;
    std::uint64_t sum = 0;
};

Axis axis_of(std::int64_t from, std::int64_t to) {
    Axis axis;
    axis.start.push_back(0);
    axis.sum = static_cast<std::uint64_t>(to <= from ? from : 2 * to);
    const auto add = [&](std::int64_t weight) {
        axis.weights.push_back(static_cast<std::uint32_t>(weight));
    };
    for (std::int64_t i = 0; i < to; ++i) {
        if (to <= from) {
            // Output i covers [i * from, (i + 1) * from) in units of 1 / to of a source sample.
            const std::int64_t begin = i * from, end = begin + from;
            axis.first.push_back(begin / to);
            for (std::int64_t s = begin / to; s * to < end; ++s)
                add(std::min(end, (s + 1) * to) - std::max(begin, s * to));
        } else {
            // Its centre, in units of 1 / (2 to) from the centre of source sample 0; outside the
            // outer centres the nearest sample stands alone.
            const std::int64_t last = (from - 1) * 2 * to;
            const std::int64_t centre = std::clamp<std::int64_t>((2 * i + 1) * from - to, 0, last);
            const std::int64_t left = centre / (2 * to), right_weight = centre % (2 * to);
            axis.first.push_back(left);
            add(2 * to - right_weight);
            if (right_weight > 0) add(right_weight);
        }
        axis.start.push_back(axis.weights.size());
    }
    return axis;
}

/// The largest centred rectangle with the aspect ratio width : height, rounded to pixels.
Image central(const Image& image, std::int64_t width, std::int64_t height) {
    std::int64_t w = image.width(), h = image.height();
    if (w * height > h * width)
        w = std::clamp<std::int64_t>((2 * h * width + height) / (2 * height), 1, w);
    else
        h = std::clamp<std::int64_t>((2 * w * height + width) / (2 * width), 1, h);
    return crop(image, (image.width() - w) / 2, (image.height() - h) / 2, w, h);
}

}  // namespace

Image centre_crop_and_resample(const Image& image, std::int64_t width, std::int64_t height) {
    constexpr std::int64_t kMaxSide = 1 << 23;  // keeps the 32-bit sums below 255 * 2^24
    if (image.empty() || image.type() != PixelType::uint8)
        throw Error("Only uint8 images can be resampled, not " + describe(image) + ".");
    if (std::min(width, height) < 1 ||
        std::max({width, height, image.width(), image.height()}) > kMaxSide)
        throw Error("An image of " + describe(image) + " cannot be resampled to " +
                    std::to_string(width) + "x" + std::to_string(height) +
                    ": sides must be between 1 and " + std::to_string(kMaxSide) + ".");

    const Image source =
        convert(central(image, width, height), PixelType::uint8, Layout::interleaved);
    const Axis across = axis_of(source.width(), width), down = axis_of(source.height(), height);
    const std::size_t channels = static_cast<std::size_t>(source.channels());
    const std::uint64_t divisor = across.sum * down.sum;
    Image out(width, height, source.channels());
    std::uint8_t* to = out.data<std::uint8_t>();
    std::vector<std::uint32_t> sums(static_cast<std::size_t>(source.width()) * channels);

    for (std::size_t y = 0; y + 1 < down.start.size(); ++y) {
        std::fill(sums.begin(), sums.end(), 0);  // at most 255 x 2^24
        const std::uint8_t* from = source.data<std::uint8_t>() + source.index(0, down.first[y], 0);
        for (std::size_t k = down.start[y]; k < down.start[y + 1]; ++k)
            for (std::uint32_t& sum : sums) sum += down.weights[k] * *from++;

        for (std::size_t x = 0; x + 1 < across.start.size(); ++x)
            for (std::size_t c = 0; c < channels; ++c) {
                std::uint64_t sum = 0;
                const std::uint32_t* s =
                    &sums[static_cast<std::size_t>(across.first[x]) * channels + c];
                for (std::size_t k = across.start[x]; k < across.start[x + 1]; ++k, s += channels)
                    sum += std::uint64_t{across.weights[k]} * *s;
                *to++ = static_cast<std::uint8_t>((2 * sum + divisor) / (2 * divisor));
            }
    }
    return convert(out, PixelType::uint8, image.layout());
}

}  // namespace convolab
