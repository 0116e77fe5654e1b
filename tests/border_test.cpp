// SPDX-License-Identifier: MIT
#include "common/convolution/border.hpp"

#include "common/base/error.hpp"
#include "common/convolution/padding.hpp"
#include "tests/catch.hpp"

using namespace convolab;

namespace {

/// The p pixels on each side of "abcd", written out; '0' if there is none.
std::string around(BorderRule rule, const std::string& pixels, int p) {
    std::string text;
    const auto n = static_cast<std::int64_t>(pixels.size());
    for (std::int64_t i = -p; i < n + p; ++i) {
        const auto source = source_index(rule, i, n);
        text += source < 0 ? '0' : pixels[source];
    }
    return text;
}

}  // namespace

TEST_CASE("each border rule is the written-out table") {
    CHECK(around(BorderRule::constant, "abcd", 3) == "000abcd000");
    CHECK(around(BorderRule::replicate, "abcd", 3) == "aaaabcdddd");
    CHECK(around(BorderRule::reflect, "abcd", 3) == "cbaabcddcb");
    CHECK(around(BorderRule::reflect101, "abcd", 3) == "dcbabcdcba");
    CHECK(around(BorderRule::wrap, "abcd", 3) == "bcdabcdabc");
    CHECK(around(BorderRule::valid, "abcd", 1) == "0abcd0");
    CHECK(around(BorderRule::renormalise, "abcd", 1) == "0abcd0");
}

TEST_CASE("borders extend as far as a filter reaches, also around tiny images") {
    CHECK(around(BorderRule::reflect, "ab", 5) == "aabbaabbaabb");
    CHECK(around(BorderRule::reflect101, "ab", 4) == "ababababab");
    CHECK(around(BorderRule::wrap, "abc", 5) == "bcabcabcabcab");
    CHECK(around(BorderRule::replicate, "a", 4) == "aaaaaaaaa");
    CHECK(around(BorderRule::reflect, "a", 3) == "aaaaaaa");
    CHECK(around(BorderRule::reflect101, "a", 3) == "aaaaaaa");
}

TEST_CASE("borders are read and written by name") {
    for (const auto& border : all_borders()) CHECK(parse_border(to_string(border)) == border);
    CHECK(parse_border("constant") == Border{BorderRule::constant, 0});
    CHECK(parse_border("constant:255").value == 255);
    for (const char* bad :
         {"", "mirror", "constant:", "constant:256", "constant:-1", "constant:7x", "replicate:3"})
        CHECK_THROWS_AS(parse_border(bad), UsageError);
}

TEST_CASE("padding by hand: every padded sample is what the rule says") {
    Image image(3, 2, 3);
    for (std::int64_t i = 0; i < image.samples(); ++i)
        image.data<std::uint8_t>()[i] = static_cast<std::uint8_t>(10 + i);
    for (const auto& border : all_borders()) {
        if (border.rule == BorderRule::valid) continue;
        const Filter filter = make_filter("box", 9);  // larger than the image
        const Computation job{{&image}, filter, border};
        const Image padded = pad(job, PixelType::float32);
        REQUIRE(padded.width() == 3 + 8);
        REQUIRE(padded.height() == 2 + 8);
        for (std::int64_t y = 0; y < padded.height(); ++y)
            for (std::int64_t x = 0; x < padded.width(); ++x)
                for (int c = 0; c < 3; ++c) {
                    const auto sx = source_index(border.rule, x - 4, 3);
                    const auto sy = source_index(border.rule, y - 4, 2);
                    const double want = sx < 0 || sy < 0 ? border.value : image.value(sx, sy, c);
                    REQUIRE(padded.value(x, y, c) == want);
                }
    }
}

TEST_CASE("an impossible job is an error before anything runs") {
    const Image small(4, 9, 1);
    const Computation too_small{{&small}, make_filter("box", 5), {BorderRule::valid, 0}};
    CHECK_THROWS_AS(check_possible(too_small), Unsupported);
    const Computation no_sum{{&small}, make_filter("sobel_x"), {BorderRule::renormalise, 0}};
    CHECK_THROWS_AS(check_possible(no_sum), Unsupported);
}
