// SPDX-License-Identifier: MIT
// RowFilter compared with the reference, with every instruction set of this machine.
#include "common/row_filter/row_filter.hpp"

#include <cstdlib>
#include <string>

#include "common/base/error.hpp"
#include "common/base/isa.hpp"
#include "common/convolution/reference.hpp"
#include "common/media/pictures.hpp"
#include "tests/catch.hpp"

using namespace convolab;

namespace {

/// All instruction sets of this machine.
const std::vector<Isa>& isas() {
    static const std::vector<Isa> all = [] {
        std::vector<Isa> found = {choose_isa()};
        for (const Isa other : isas_not_chosen()) found.push_back(other);
        return found;
    }();
    return all;
}

/// Checks all instruction sets, in bands of rows that start and end anywhere.
void check(const Image& image, const Filter& filter, const Border& border) {
    const Computation job{{&image}, filter, border};
    if (job.out_width() < 1 || job.out_height() < 1) return;
    if (border.rule == BorderRule::renormalise && !filter.can_renormalise()) return;
    const Image expected = reference_convolution(job);
    for (const Isa isa : isas()) {
        const IsaOfThread here(isa);
        const RowFilter rows(job);
        auto scratch = rows.make_scratch();
        for (const std::int64_t band : {expected.height(), std::int64_t{1}, std::int64_t{7}}) {
            Image out(expected.width(), expected.height(), expected.channels());
            out.poison();
            for (std::int64_t y = 0; y < out.height(); y += band)
                rows.rows(y, std::min(y + band, out.height()), out, scratch);
            const Comparison result = compare(out, expected, 0);
            INFO(to_string(isa) << ", " << filter.name() << ' ' << filter.ksize() << ", "
                                << to_string(border) << ", " << describe(image) << ", bands of "
                                << band << ": " << result.first);
            REQUIRE(result.different == 0);
        }
    }
}

Image noise(std::int64_t width, std::int64_t height, int channels) {
    return random_image(width, height, channels, PixelType::uint8,
                        static_cast<unsigned>(width * 31 + height * 7 + channels));
}
/// Only 0 and 255, which give the largest sums.
Image extremes(std::int64_t width, std::int64_t height, int channels) {
    Image image = noise(width, height, channels);
    auto* samples = image.data<std::uint8_t>();
    for (std::int64_t i = 0; i < image.samples(); ++i) samples[i] = samples[i] < 100 ? 0 : 255;
    return image;
}
Image white(std::int64_t width, std::int64_t height, int channels) {
    Image image(width, height, channels);
    image.poison(255);
    return image;
}

const std::vector<Filter>& filters() {
    static const std::vector<Filter> all = [] {
        std::vector<Filter> made = {make_filter("gaussian", 5, 1.2),
                                    make_filter("gaussian", 5, 0.3)};
        for (const char* name :
             {"identity", "sharpen", "laplacian", "emboss", "sobel_x", "sobel_y", "unsharp",
              "3x3: 1 2 3 4 5 6 7 8 9 / 45",         // all taps differ, so a flip shows
              "3x3: -1 -2 -3 -4 5 -6 -7 -8 -9 / 7",  // negative sums
              "3x3: -1 -2 -1 2 4 2 -1 -2 -1 / 3",    // a product with negative taps
              "3x3: 300 -600 300 -600 1200 -600 300 -600 300 / 100",
              "3x3: 0 1 0 0 -40000 0 0 1 0 / 3",    // taps beyond 16 bits
              "3x3: 0 0 0 0 40000 0 0 0 0 / 9999",  // a divisor beyond 8192
              "3x3: 1 200 1 200 40000 200 1 200 1 / 40804", "3x3: 0 0 0 0 0 0 0 0 0 / 5",
              "1x1: 128 / 255"})
            made.push_back(make_filter(name));
        for (const int ksize : {3, 5, 7, 9}) made.push_back(make_filter("gaussian", ksize));
        for (const char* name : {"box", "edge"})
            for (const int ksize : {3, 5}) made.push_back(make_filter(name, ksize));
        return made;
    }();
    return all;
}

}  // namespace

TEST_CASE("every filter, border and channel count at awkward sizes") {
    for (const int channels : {1, 3, 4})
        for (const Border& border : all_borders())
            for (const Filter& filter : filters()) {
                check(noise(1, 1, channels), filter, border);
                check(noise(97, 9, channels), filter, border);
                check(extremes(131, 6, channels), filter, border);
            }
}

TEST_CASE("every width from 1 to 70") {
    const Filter kinds[] = {make_filter("gaussian", 5), make_filter("gaussian", 7, 1.5),
                            make_filter("sharpen"), make_filter("unsharp")};
    for (int width = 1; width <= 70; ++width)
        for (const int channels : {1, 3, 4})
            for (const Filter& filter : kinds) {
                check(noise(width, 5, channels), filter, {BorderRule::reflect101});
                check(noise(width, 8, channels), filter, {BorderRule::constant, 201});
            }
    // Every remainder of a row, in images wide enough for the blocks between the borders.
    for (int width = 330; width <= 394; ++width)
        for (const Filter& filter : kinds) {
            check(noise(width, 6, 1), filter, {});
            check(noise(width, 7, 1), filter, {BorderRule::valid});
        }
}

TEST_CASE("Gaussians and boxes of every side") {
    for (int k = 1; k <= 31; k += 2) {
        const Filter all[] = {make_filter("gaussian", k), make_filter("gaussian", k, 0.5 + k / 5.0),
                              make_filter("box", k)};
        for (const Filter& filter : all)
            for (const Border& border : {Border{BorderRule::reflect}, Border{BorderRule::valid}}) {
                check(noise(150, 37, 3), filter, border);
                check(extremes(401, 33, 1), filter, border);
                check(white(160, 32, 4), filter, border);
            }
    }
    check(noise(90, 5, 3), make_filter("box", 255), {BorderRule::wrap});
    check(noise(700, 3, 3), make_filter("box", 91), {});
    check(extremes(600, 3, 1), make_filter("edge", 11), {BorderRule::wrap});
}

TEST_CASE("every way to round an outer product, in whole groups and in the rest") {
    const Filter filters[] = {
        make_filter("gaussian", 7),                       // the upper words of the sums
        make_filter("sobel_y"),                           // a shift
        make_filter("3x3: 1 2 3 2 4 6 3 6 9 / 36"),       // a multiplication
        make_filter("3x3: -3 6 -3 -3 6 -3 -3 6 -3 / 4"),  // the upper words, negative sums
        make_filter("gaussian", 9, 0.9),
        make_filter("gaussian", 3, 0.7),
        make_filter("box", 7),
        make_filter("box", 9)};
    for (const Filter& filter : filters)
        for (int height = 1; height <= 35; ++height) {
            check(noise(131, height, 3), filter, {});
            check(extremes(400, height, 1), filter, {BorderRule::wrap});
        }
}

TEST_CASE("rows of several strips") {
    for (const int ksize : {5, 7, 9, 11})
        for (const int width : {511, 576, 577, 1088, 1120})
            check(extremes(width, 27, 1), make_filter("gaussian", ksize, 1.4),
                  {BorderRule::reflect});
}

TEST_CASE("a Gaussian of every width that splits its centre tap") {
    for (int tenth = 1; tenth <= 40; ++tenth)
        check(extremes(110, 9, 3), make_filter("gaussian", 5, tenth / 10.0), {});
}

TEST_CASE("images larger than the last-level cache use non-temporal stores", "[long]") {
    for (const Filter& filter :
         {make_filter("gaussian", 3), make_filter("gaussian", 5), make_filter("gaussian", 3, 0.6),
          make_filter("gaussian", 7), make_filter("box", 3), make_filter("sobel_x"),
          make_filter("sharpen"), make_filter("3x3: 300 0 0 0 0 0 0 0 300 / 600")})
        check(noise(2048, 3000, 3), filter, {});
    check(noise(2043, 3000, 3), make_filter("gaussian", 3), {});
}

TEST_CASE("CONVOLAB_ISA chooses the instruction set; a wrong name is an error") {
    const char* const given = std::getenv("CONVOLAB_ISA");
    const std::string before = given ? given : "";
    setenv("CONVOLAB_ISA", "plain", 1);
    CHECK(choose_isa() == Isa::plain);
    setenv("CONVOLAB_ISA", "mmx", 1);
    CHECK_THROWS_AS(choose_isa(), Error);
    given ? setenv("CONVOLAB_ISA", before.c_str(), 1) : unsetenv("CONVOLAB_ISA");
}
