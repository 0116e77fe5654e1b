// SPDX-License-Identifier: MIT
// Faults of the reports' CPU programs. This file contains each defective form, and checks that the
// comparison which the labs' variants pass finds it.
#include <algorithm>
#include <cmath>
#include <vector>

#include "common/base/division.hpp"
#include "common/convolution/padding.hpp"
#include "common/convolution/reference.hpp"
#include "common/convolution/rounding.hpp"
#include "common/media/pictures.hpp"
#include "labs/02_pthread/shared/blocks.hpp"
#include "tests/catch.hpp"

using namespace convolab;

namespace {

/// ariano2023's flat, listing of 3.6: the loop over the padded image begins at 2, whatever the
/// filter.
Image flat_with_margin(const Job& job, std::int64_t margin) {
    const Image padded = pad(job, PixelType::uint8);
    Image out(job.out_width(), job.out_height(), padded.channels());
    const int p = job.filter.radius();
    for (std::int64_t y = margin; y < padded.height() - p; ++y)
        for (std::int64_t x = margin; x < padded.width() - p; ++x)
            for (int c = 0; c < padded.channels(); ++c) {
                std::int64_t sum = 0;
                for (int j = 0; j < job.filter.ksize(); ++j)
                    for (int i = 0; i < job.filter.ksize(); ++i)
                        sum += job.filter.tap(i, j) *
                               static_cast<std::int64_t>(padded.value(x + i - p, y + j - p, c));
                if (x >= p && y >= p && x - p < out.width() && y - p < out.height())
                    out.set_value(x - p, y - p, c,
                                  round_to_byte(sum, std::int64_t{job.filter.divisor()}));
            }
    return out;
}

/// The CPU function of cazzola2024's program, with zeros around the image. It compares rows with
/// `row_end` and columns with `column_end`.
Image with_zeros_around(const Job& job, std::int64_t row_end, std::int64_t column_end) {
    const Image& image = job.image();
    Image out(image.width(), image.height(), 1);
    const int k = job.filter.ksize(), p = k / 2;
    for (std::int64_t y = 0; y < image.height(); ++y)
        for (std::int64_t x = 0; x < image.width(); ++x) {
            std::int64_t sum = 0;
            for (int j = 0; j < k; ++j)
                for (int i = 0; i < k; ++i) {
                    const std::int64_t row = y - p + j, column = x - p + i;
                    const bool inside =
                        row >= 0 && column >= 0 && row < row_end && column < column_end;
                    // Below the image the program reads whatever follows it.
                    if (inside && row < image.height() && column < image.width())
                        sum += job.filter.tap(i, j) *
                               static_cast<std::int64_t>(image.value(column, row, 0));
                }
            out.set_value(x, y, 0, round_to_byte(sum, std::int64_t{job.filter.divisor()}));
        }
    return out;
}

/// The blocks of ariano2023's program (parallelKernelTestBlocks.h). There are as many as the padded
/// image needs, but they are placed in the output, and only the last one ends at its edge.
std::vector<Rectangle> blocks_of_padded(std::int64_t width, std::int64_t height, int p, int side) {
    const std::int64_t columns = ceil_divide(width + 2 * p, side);
    const std::int64_t rows = ceil_divide(height + 2 * p, side);
    std::vector<Rectangle> blocks;
    for (std::int64_t r = 0; r < rows; ++r)
        for (std::int64_t c = 0; c < columns; ++c)
            blocks.push_back({c * side, r * side, c < columns - 1 ? (c + 1) * side : width,
                              r < rows - 1 ? (r + 1) * side : height});
    return blocks;
}

/// The labs' blocks, which are cut from the output.
std::vector<Rectangle> blocks_of_output(std::int64_t width, std::int64_t height, int side) {
    const Blocks blocks(width, height, side);
    std::vector<Rectangle> all;
    for (std::int64_t b = 0; b < blocks.count(); ++b) all.push_back(blocks[b]);
    return all;
}

/// How often each output pixel is computed; -1 if something outside the output is.
int coverage(const std::vector<Rectangle>& blocks, std::int64_t width, std::int64_t height) {
    std::vector<int> count(static_cast<std::size_t>(width * height));
    for (const auto& b : blocks) {
        if (b.x0 < 0 || b.y0 < 0 || b.x1 > width || b.y1 > height) return -1;
        for (auto y = b.y0; y < b.y1; ++y)
            for (auto x = b.x0; x < b.x1; ++x) ++count[y * width + x];
    }
    const auto [least, most] = std::minmax_element(count.begin(), count.end());
    return *least == *most ? *least : 0;
}

}  // namespace

TEST_CASE("an inside test hard-coded to 2 is right for 5x5 only") {
    const Image image = random_image(20, 15, 3, PixelType::uint8, 1);
    for (const int k : {3, 5, 7}) {
        const Job job{{&image}, make_filter("gaussian", k), {}, {}};
        const Image expected = reference_convolution(job);
        CHECK(compare(flat_with_margin(job, k / 2), expected).identical());
        if (k > 5) continue;  // a margin smaller than p reads outside the padded image
        const Comparison hard_coded = compare(flat_with_margin(job, 2), expected);
        CHECK(hard_coded.identical() == (k == 5));
        if (k == 3) CHECK(hard_coded.first.rfind("at (0, 0)", 0) == 0);
    }
}

TEST_CASE("a row compared with the width is right on squares only") {
    for (const auto& [width, height] : {std::pair<int, int>{24, 24}, {31, 17}}) {
        const Image image = random_image(width, height, 1, PixelType::uint8, 3);
        const Job job{{&image}, make_filter("box", 5), {BorderRule::constant, 0}, {}};
        const Image expected = reference_convolution(job);
        CHECK(compare(with_zeros_around(job, height, width), expected).identical());
        CHECK(compare(with_zeros_around(job, width, height), expected).identical() ==
              (width == height));
    }
}

TEST_CASE("blocks of the padded image can overrun the output; the labs' blocks do not") {
    int overrun = 0;
    for (const int side : {4, 7, 16, 64})
        for (const auto& [width, height] :
             {std::pair<std::int64_t, std::int64_t>{64, 48}, {97, 23}, {5, 5}}) {
            CHECK(coverage(blocks_of_output(width, height, side), width, height) == 1);
            // They overrun the output only if the padded image ends 1 to 3 pixels into a block.
            const auto short_of = [side](std::int64_t padded) {
                return padded % side > 0 && padded % side < 4;
            };
            const bool beyond = short_of(width + 4) || short_of(height + 4);
            overrun += beyond;
            CHECK(coverage(blocks_of_padded(width, height, 2, side), width, height) ==
                  (beyond ? -1 : 1));
        }
    CHECK(overrun > 0);
}

TEST_CASE("truncation and ties to even give other pictures than rounding half up") {
    const Image image = random_image(64, 64, 1, PixelType::uint8, 2);
    const Job job{{&image}, make_filter("3x3: 1 2 1 2 4 2 1 2 1 / 16"), {}, {}};
    const Image expected = reference_convolution(job);
    const Image padded = pad(job, PixelType::uint8);
    Image truncated(64, 64, 1);
    Image to_even(64, 64, 1);
    for (int y = 0; y < 64; ++y)
        for (int x = 0; x < 64; ++x) {
            double sum = 0;
            for (int j = 0; j < 3; ++j)
                for (int i = 0; i < 3; ++i)
                    sum += job.filter.tap(i, j) * padded.value(x + i, y + j, 0);
            truncated.set_value(x, y, 0, std::floor(sum / 16));
            to_even.set_value(x, y, 0, std::nearbyint(sum / 16));
        }
    CHECK(compare(truncated, expected).different > 64 * 64 / 4);
    CHECK(compare(to_even, expected).different > 0);
    CHECK(compare(to_even, expected).different < 64 * 64 / 16);
}
