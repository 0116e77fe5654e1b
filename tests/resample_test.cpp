// SPDX-License-Identifier: MIT
#include "common/image/resample.hpp"

#include <algorithm>
#include <cmath>

#include "common/base/error.hpp"
#include "common/image/sizes.hpp"
#include "tests/kit.hpp"

using namespace convolab;

namespace {

Image numbered(std::int64_t width, std::int64_t height, int channels,
               Layout layout = Layout::interleaved) {
    Image image(width, height, channels, PixelType::uint8, layout);
    for (std::int64_t y = 0; y < height; ++y)
        for (std::int64_t x = 0; x < width; ++x)
            for (int c = 0; c < channels; ++c)
                image.set_value(x, y, c, static_cast<double>((x * 31 + y * 57 + c * 101) % 256));
    return image;
}

/// The share of source sample s in output sample i along an axis, from the definition.
double share(std::int64_t from, std::int64_t to, std::int64_t i, std::int64_t s) {
    const double scale = static_cast<double>(from) / static_cast<double>(to);
    if (to <= from) {
        const double begin = static_cast<double>(i) * scale, place = static_cast<double>(s);
        return std::max(0.0, std::min(begin + scale, place + 1) - std::max(begin, place)) / scale;
    }
    const double centre = std::clamp((static_cast<double>(i) + 0.5) * scale - 0.5, 0.0,
                                     static_cast<double>(from - 1));
    return std::max(0.0, 1 - std::abs(centre - static_cast<double>(s)));
}

}  // namespace

TEST_CASE("resample: the same size is the same image") {
    for (const int channels : {1, 3, 4})
        for (const auto layout : {Layout::interleaved, Layout::planar}) {
            const Image image = numbered(37, 23, channels, layout);
            CHECK(test::same(centre_crop_and_resample(image, 37, 23), image));
        }
}

TEST_CASE("resample: each sample is the weighted mean of the definition") {
    for (const auto& [from, to] : {std::pair{std::pair{12, 8}, std::pair{6, 4}},
                                   {{12, 8}, {9, 6}},
                                   {{9, 6}, {12, 8}},
                                   {{21, 14}, {3, 2}},
                                   {{3, 2}, {21, 14}},
                                   {{6, 6}, {1, 1}},
                                   {{1, 1}, {5, 5}}}) {
        const Image in = numbered(from.first, from.second, 3);
        const Image out = centre_crop_and_resample(in, to.first, to.second);
        int wrong = 0;
        for (int y = 0; y < to.second; ++y)
            for (int x = 0; x < to.first; ++x)
                for (int c = 0; c < 3; ++c) {
                    double mean = 0;
                    for (int t = 0; t < from.second; ++t)
                        for (int s = 0; s < from.first; ++s)
                            mean += share(from.first, to.first, x, s) *
                                    share(from.second, to.second, y, t) * in.value(s, t, c);
                    wrong += !(std::abs(out.value(x, y, c) - mean) <= 0.5 + 1e-9);
                }
        CHECK(wrong == 0);
    }
}

TEST_CASE("resample: the middle is kept, halves round up") {
    Image wide(8, 2, 1);
    for (int x = 0; x < 8; ++x)
        for (int y = 0; y < 2; ++y) wide.set_value(x, y, 0, x);
    const Image square = centre_crop_and_resample(wide, 2, 2);
    CHECK(square.value(0, 0, 0) == 3);
    CHECK(square.value(1, 1, 0) == 4);
    Image tall(1, 9, 1);
    for (int y = 0; y < 9; ++y) tall.set_value(0, y, 0, y);
    CHECK(centre_crop_and_resample(tall, 5, 5).value(2, 3, 0) == 4);

    Image pair(2, 1, 1);
    pair.set_value(1, 0, 0, 1);
    CHECK(centre_crop_and_resample(pair, 1, 1).pixels() == 1);
    Image four(2, 2, 1);
    four.set_value(0, 0, 0, 1);
    four.set_value(1, 1, 0, 1);
    CHECK(centre_crop_and_resample(four, 1, 1).value(0, 0, 0) == 1);  // 2 / 4 rounds up
}

TEST_CASE("resample: invalid images and sizes are errors") {
    CHECK_THROWS_AS(centre_crop_and_resample(Image(), 4, 4), Error);
    CHECK_THROWS_AS(centre_crop_and_resample(Image(2, 2, 1, PixelType::float32), 4, 4), Error);
    CHECK_THROWS_AS(centre_crop_and_resample(Image(2, 2, 1), 0, 4), Error);
    CHECK_THROWS_AS(centre_crop_and_resample(Image(2, 2, 1), 4, (1 << 23) + 1), Error);
}

TEST_CASE("sizes: the standard ones and typed ones") {
    CHECK(standard_sizes().size() == 6);
    for (const Size& size : standard_sizes()) {
        CHECK(parse_size(size.name).width == size.width);
        CHECK(parse_size(std::to_string(size.width) + "x" + std::to_string(size.height)).name ==
              size.name);
    }
    CHECK(parse_size("4K").height == 2160);
    CHECK(parse_size("17x5").name == "17x5");
    for (const char* text : {"", "4", "x", "0x5", "5x0", "-1x5", "5x", "5x5x5", "5x 5", "1080", "k",
                             "99999999999999999999x1", "2000000000x1"})
        CHECK_THROWS_AS(parse_size(text), UsageError);
}
