// SPDX-License-Identifier: MIT
#include "common/convolution/reference.hpp"

#include <cmath>
#include <limits>

#include "common/base/error.hpp"
#include "common/convolution/padding.hpp"
#include "common/media/pictures.hpp"
#include "tests/catch.hpp"

using namespace convolab;

namespace {
Image gray(std::int64_t width, std::int64_t height, std::initializer_list<int> values) {
    Image image(width, height, 1);
    auto* out = image.data<std::uint8_t>();
    for (const int v : values) *out++ = static_cast<std::uint8_t>(v);
    return image;
}
Image convolved(const Image& image, const std::string& filter, Border border) {
    return reference_convolution({{&image}, make_filter(filter), border});
}

/// One sample of the output, by plain loops over the taps.
double formula(const Computation& job, std::int64_t x, std::int64_t y, int c) {
    const Image& image = job.image();
    const Filter& filter = job.filter;
    const BorderRule rule = job.border.rule;
    const int p = rule == BorderRule::valid ? 0 : filter.radius();
    double sum = 0, inside = 0;
    for (int j = 0; j < filter.ksize(); ++j)
        for (int i = 0; i < filter.ksize(); ++i) {
            const auto row = source_index(rule, y + j - p, image.height());
            const auto column = source_index(rule, x + i - p, image.width());
            const bool missing = row < 0 || column < 0;
            if (missing && rule == BorderRule::renormalise) continue;
            sum += filter.tap(i, j) * (missing ? job.border.value : image.value(column, row, c));
            inside += filter.tap(i, j);
        }
    const double right = sum / (rule == BorderRule::renormalise ? inside : filter.divisor());
    return image.type() == PixelType::float32 ? static_cast<float>(right) : std::floor(right + 0.5);
}
}  // namespace

TEST_CASE("the reference against numbers worked out by hand") {
    const Image image = gray(3, 3, {10, 20, 30, 40, 50, 60, 70, 80, 90});
    // Correlation, no flip: the tap at the upper left meets the pixel at the upper left.
    const std::string corner = "3x3: 1 0 0 0 0 0 0 0 0";
    CHECK(convolved(image, corner, {}).value(1, 1, 0) == 10);
    CHECK(convolved(image, corner, {}).value(0, 0, 0) == 10);
    CHECK(convolved(image, corner, {BorderRule::constant, 7}).value(0, 2, 0) == 7);
    CHECK(convolved(image, corner, {BorderRule::wrap}).value(0, 0, 0) == 90);
    CHECK(convolved(image, corner, {BorderRule::reflect101}).value(0, 0, 0) == 50);
    const std::string box = "3x3: 1 1 1 1 1 1 1 1 1 / 9";
    CHECK(convolved(image, box, {}).value(1, 1, 0) == 50);
    // (4*10 + 2*20 + 2*40 + 50) / 9 = 23.33
    CHECK(convolved(image, box, {BorderRule::replicate}).value(0, 0, 0) == 23);
    // (10 + 20 + 40 + 50) / 4 = 30
    CHECK(convolved(image, box, {BorderRule::renormalise}).value(0, 0, 0) == 30);
    CHECK(convolved(image, box, {BorderRule::valid}).samples() == 1);
    CHECK(convolved(image, "1x1: 1 / 20", {}).value(0, 0, 0) == 1);  // 10 / 20 = 1/2, half up
    CHECK(convolved(image, "1x1: -1", {}).value(2, 2, 0) == 0);
    CHECK(convolved(image, "1x1: 9", {}).value(2, 2, 0) == 255);
}

TEST_CASE("the reference is the formula, with every border, type and layout") {
    std::uint64_t seed = 0;
    for (const auto type : {PixelType::uint8, PixelType::int32, PixelType::float32})
        for (const auto layout : {Layout::interleaved, Layout::planar})
            for (const Border& border : all_borders())
                for (const int k : {1, 3, 7}) {
                    const Image image = convert(random_image(11, 8, 3, type, ++seed), type, layout);
                    const Computation job{{&image}, make_filter("gaussian", k), border};
                    const Image out = reference_convolution(job, 2);
                    std::int64_t wrong = 0;
                    for (int c = 0; c < 3; ++c)
                        for (std::int64_t y = 0; y < out.height(); ++y)
                            for (std::int64_t x = 0; x < out.width(); ++x)
                                wrong += out.value(x, y, c) != formula(job, x, y, c);
                    CHECK(out.samples() > 0);
                    CHECK(wrong == 0);
                }
}

TEST_CASE("float32 is neither rounded nor clamped") {
    Image image(2, 1, 1, PixelType::float32);
    image.data<float>()[0] = -1.5F;
    image.data<float>()[1] = 1000.25F;
    const Image out = convolved(image, "1x1: 3 / 2", {});
    CHECK(out.value(0, 0, 0) == -2.25);
    CHECK(out.value(1, 0, 0) == 1500.375);
}

TEST_CASE("any number of threads gives the same bytes") {
    const Image image = random_image(37, 23, 3, PixelType::uint8, 1);
    const Computation job{{&image}, make_filter("gaussian", 7), {}};
    const Image one = reference_convolution(job, 1);
    CHECK(compare(reference_convolution(job), one).identical());
    for (const int threads : {2, 5, 64})
        CHECK(compare(reference_convolution(job, threads), one).identical());
}

TEST_CASE("compare finds every difference, NaN and wrong shapes too") {
    const Image image = random_image(9, 5, 3, PixelType::uint8, 2);
    CHECK(compare(image, image).identical());
    Image other = image.copy();
    other.data<std::uint8_t>()[other.index(4, 2, 1)] ^= 1;
    const Comparison one = compare(other, image);
    CHECK(one.different == 1);
    CHECK(one.first.find("at (4, 2) channel 1") == 0);
    CHECK(describe(one) == one.first + "; 1 of 135 samples (0.741 %) are wrong");
    CHECK(compare(convert(image, PixelType::float32, Layout::planar), image).identical());

    Image nan = convert(image, PixelType::float32, Layout::interleaved);
    nan.data<float>()[3] = std::numeric_limits<float>::quiet_NaN();
    CHECK(compare(nan, image, 1e9).different == 1);
    CHECK_FALSE(compare(Image(9, 4, 3), image).identical());
    CHECK_FALSE(compare(Image(), Image()).identical());  // nothing compared is not a success
    CHECK(difference_picture(nan, image).value(1, 0, 0) == 255);
}

TEST_CASE("samples that differ are given in full") {
    Image one(1, 1, 1, PixelType::int32), other = one.copy();
    one.data<std::int32_t>()[0] = 1049939;
    other.data<std::int32_t>()[0] = -2147483647;
    CHECK(compare(one, other).first == "at (0, 0) channel 0: 1049939 instead of -2147483647");
    one = Image(1, 1, 1, PixelType::float32);
    other = one.copy();
    one.data<float>()[0] = 0.1F;
    other.data<float>()[0] = std::nextafter(0.1F, 1.0F);
    CHECK(compare(one, other).first == "at (0, 0) channel 0: 0.1 instead of 0.10000001");
}

TEST_CASE("the bound of float32 holds for float arithmetic and is not slack by orders") {
    const Image image = random_image(31, 17, 3, PixelType::float32, 3);
    const Computation job{{&image}, make_filter("gaussian", 9), {BorderRule::reflect}};
    const double bound = allowed_difference(job);
    CHECK(bound > 0);
    CHECK(bound < 1e-4);
    Image off = reference_convolution(job);
    CHECK(compare(off, reference_convolution(job), bound).identical());
    off.data<float>()[100] += static_cast<float>(4 * bound);
    CHECK(compare(off, reference_convolution(job), bound).different == 1);
}
