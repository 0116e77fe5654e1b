// SPDX-License-Identifier: MIT
#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdio>

#include "common/convolution/reference.hpp"

namespace convolab {
namespace {

/// A whole number in full; a float32 with the digits that tell it from its neighbours.
std::string sample_text(double value, PixelType type) {
    if (type != PixelType::float32) return std::to_string(static_cast<std::int64_t>(value));
    char text[32];
    return {text, std::to_chars(text, text + sizeof text, static_cast<float>(value)).ptr};
}

/// The quick way through matrices of 2^28 elements; NaN is not within.
bool all_within(const Image& result, const Image& expected, double bound) {
    const float* got = result.data<float>();
    const float* want = expected.data<float>();
    std::int64_t outside = 0;
    for (std::int64_t i = 0; i < expected.samples(); ++i)
        outside += !(std::abs(static_cast<double>(got[i]) - want[i]) <= bound);
    return outside == 0;
}

bool same_shape(const Image& a, const Image& b) {
    return a.width() == b.width() && a.height() == b.height() && a.channels() == b.channels();
}

}  // namespace

Comparison compare(const Image& result, const Image& expected, double bound) {
    Comparison comparison;
    comparison.samples = expected.samples();
    if (!same_shape(result, expected)) {
        comparison.different = std::max<std::int64_t>(1, expected.samples());
        comparison.first =
            "the output is " + describe(result) + " instead of " + describe(expected);
        return comparison;
    }
    if (bound == 0 && result.type() == expected.type() && result.layout() == expected.layout() &&
        result.type() != PixelType::float32 &&
        std::equal(result.raw(), result.raw() + result.bytes(), expected.raw()))
        return comparison;
    if (result.type() == PixelType::float32 && expected.type() == PixelType::float32 &&
        result.layout() == expected.layout() && all_within(result, expected, bound))
        return comparison;
    for (std::int64_t y = 0; y < expected.height(); ++y)
        for (std::int64_t x = 0; x < expected.width(); ++x)
            for (int c = 0; c < expected.channels(); ++c) {
                const double got = result.value(x, y, c);
                const double want = expected.value(x, y, c);
                if (std::abs(got - want) <= bound) continue;
                if (comparison.different++ > 0) continue;
                comparison.first = "at (" + std::to_string(x) + ", " + std::to_string(y) +
                                   ") channel " + std::to_string(c) + ": " +
                                   sample_text(got, result.type()) + " instead of " +
                                   sample_text(want, expected.type());
            }
    return comparison;
}

std::string describe(const Comparison& comparison) {
    char share[40];
    std::snprintf(share, sizeof share, "%.3g",
                  100.0 * static_cast<double>(comparison.different) /
                      static_cast<double>(comparison.samples));
    return comparison.first + "; " + std::to_string(comparison.different) + " of " +
           std::to_string(comparison.samples) + " samples (" + share + " %) are wrong";
}

Image difference_picture(const Image& result, const Image& expected) {
    Image picture(expected.width(), expected.height(), expected.channels());
    for (std::int64_t y = 0; y < expected.height(); ++y)
        for (std::int64_t x = 0; x < expected.width(); ++x)
            for (int c = 0; c < expected.channels(); ++c) {
                const bool there =
                    x < result.width() && y < result.height() && c < result.channels();
                const double d =
                    there ? std::abs(result.value(x, y, c) - expected.value(x, y, c)) : 255;
                picture.set_value(x, y, c, d <= 15 ? std::ceil(d) * 16 : 255);  // NaN is white
            }
    return picture;
}

}  // namespace convolab
