// SPDX-License-Identifier: MIT
#include "common/convolution/filter.hpp"

#include <numeric>

#include "common/base/error.hpp"
#include "tests/catch.hpp"

using namespace convolab;
using Taps = std::vector<std::int32_t>;

TEST_CASE("the Gaussian's taps: those of 3x3 and 5x5 are ariano2023's (its program, Kernel/)") {
    CHECK(gaussian_taps(3) == Taps{64, 128, 64});
    CHECK(gaussian_taps(5) == Taps{16, 64, 96, 64, 16});
    CHECK(gaussian_taps(7) == Taps{8, 28, 56, 72, 56, 28, 8});
    CHECK(gaussian_taps(9) == Taps{4, 13, 30, 51, 60, 51, 30, 13, 4});
}

TEST_CASE("every Gaussian is symmetric and sums to 256") {
    for (int k = 1; k <= 31; k += 2)
        for (const double sigma : {0.0, 0.3, 0.8, 1.0, 1.7, 3.2, 9.5}) {
            const Taps taps = gaussian_taps(k, sigma > 0 ? std::optional(sigma) : std::nullopt);
            INFO("K " << k << " sigma " << sigma);
            CHECK(std::accumulate(taps.begin(), taps.end(), 0) == 256);
            CHECK(taps == Taps(taps.rbegin(), taps.rend()));
        }
}

TEST_CASE("the Gaussian carries what rounding loses towards the centre") {
    // K 3, sigma 1: 256 * 0.27406862 = 70.16, so 70 116 70.
    CHECK(gaussian_taps(3, 1.0) == Taps{70, 116, 70});
    // K 5, sigma 1: v = 13.949 -> 14, carry -0.051; 62.525 - 0.051 = 62.474 -> 62.
    CHECK(gaussian_taps(5, 1.0) == Taps{14, 62, 104, 62, 14});
}

TEST_CASE("the named filters have the taps and divisors of the table") {
    CHECK(make_filter("box", 7).divisor() == 49);
    CHECK(make_filter("gaussian", 5).divisor() == 65536);
    CHECK(make_filter("gaussian", 5).tap(2, 2) == 96 * 96);
    CHECK(make_filter("sharpen").taps() == Taps{0, -1, 0, -1, 5, -1, 0, -1, 0});
    CHECK(make_filter("edge", 5).tap(2, 2) == 24);
    CHECK(make_filter("laplacian").taps() == Taps{0, 1, 0, 1, -4, 1, 0, 1, 0});
    CHECK(make_filter("emboss").taps() == Taps{-2, -1, 0, -1, 1, 1, 0, 1, 2});
    CHECK(make_filter("sobel_x").taps() == Taps{-1, 0, 1, -2, 0, 2, -1, 0, 1});
    CHECK(make_filter("sobel_y").tap(0, 1) == 0);
    CHECK(make_filter("sobel_y").tap(1, 2) == 2);
    const Filter unsharp = make_filter("unsharp");
    CHECK(unsharp.tap(2, 2) == 476);
    CHECK(unsharp.tap(1, 0) == -4);
    CHECK(std::accumulate(unsharp.taps().begin(), unsharp.taps().end(), 0) == 256);
}

TEST_CASE("a typed filter is read column by column, row by row") {
    const Filter f = make_filter("3x3: 1 2 3 4 5 6 7 8 9 / 45");
    CHECK(f.tap(2, 0) == 3);
    CHECK(f.tap(0, 2) == 7);
    CHECK(f.divisor() == 45);
    CHECK(make_filter("1x1: -3").divisor() == 1);
    CHECK(make_filter("3X3:\n\t1 2 3\r\n\t4 5 6\n\t7,8,9\n/ 45").taps() == f.taps());
}

TEST_CASE("the error of a typed filter says what is wrong") {
    for (const auto& [text, why] : std::vector<std::pair<const char*, const char*>>{
             {"3x3: 1 2", "it has 2 taps and 3x3 needs 9"},
             {"3x3: 1 2 3 4 5 6 7 8 / 16", "it has 8 taps and 3x3 needs 9"},
             {"3x3:\n1 2 3 4 5 6 7 8 9 10", "it has 10 taps and 3x3 needs 9"},
             {"3x3: 1 2 2147483648 4 5 6 7 8 9", "'2147483648' is not a whole number from -65536"},
             {"3x3: 1 2 -2147483649 4 5 6 7 8 9",
              "'-2147483649' is not a whole number from -65536"},
             {"1x1: -2147483648", "'-2147483648' is not a whole number from -65536"},
             {"3x3: 0.5 2 3 4 5 6 7 8 9", "'0.5' is not a whole number"},
             {"3x3: 1 2 3 4 5 6 7 8 9 /", "a whole number is missing"},
             {"3x3 1 2 3 4 5 6 7 8 9", "':' is missing"},
             {"3x3: 1 2 3 4 5 6 7 8 9 / 45 x", "'x' is left over"},
             {"[[1,2,1],[2,4,2],[1,2,1]]", "it has brackets"},
             {"3x3: [[1, 2, 1], [2, 4, 2], [1, 2, 1]]", "it has brackets"}}) {
        std::string said;
        try {
            make_filter(text);
        } catch (const UsageError& error) {
            said = error.what();
        }
        INFO(said);
        CHECK(said.find(why) != std::string::npos);
        CHECK(said.find("; write it as \"3x3: ") != std::string::npos);
        CHECK(said.find('\n') == std::string::npos);
    }
}

TEST_CASE("a bad filter gives one error message that names it") {
    for (const char* text :
         {"3x3: 1 2 3 4 5 6 7 8 9 / 0", "2x2: 1 1 1 1", "3x5: 1", "3x3: a", "x: 1",
          "0x0: ", "1x1: 70000", "1x1: 1 / 70000", "999x999: 1", "blur", ""}) {
        INFO(text);
        CHECK_THROWS_AS(make_filter(text), UsageError);
    }
    CHECK_THROWS_AS(make_filter("sharpen", 5), UsageError);
    CHECK_THROWS_AS(make_filter("box", 4), UsageError);
    CHECK_THROWS_AS(make_filter("box", 257), UsageError);
    CHECK_THROWS_AS(make_filter("gaussian", 33), UsageError);
    CHECK_THROWS_AS(make_filter("box", 5, 1.0), UsageError);
    CHECK_THROWS_AS(make_filter("gaussian", 5, -1.0), UsageError);
    CHECK_THROWS_AS(make_filter("3x3: 1 2 3 4 5 6 7 8 9 / 45", 5), UsageError);
}

TEST_CASE("outer products are found and multiply back to the taps") {
    for (const char* name : {"gaussian", "box", "sobel_x", "sobel_y"})
        for (const int k : {3, 5, 7, 9}) {
            if (!filter_has_sizes(name) && k != 3) continue;
            const Filter f = make_filter(name, k);
            const auto product = f.outer_product();
            REQUIRE(product);
            for (int j = 0; j < k; ++j)
                for (int i = 0; i < k; ++i)
                    CHECK(product->column[j] * product->row[i] == f.tap(i, j));
        }
    CHECK(make_filter("gaussian", 5).outer_product()->row == gaussian_taps(5));
    CHECK(make_filter("gaussian", 9).outer_product()->column == gaussian_taps(9));
    CHECK(make_filter("gaussian", 11, 2.3).outer_product());
    for (const char* name : {"sharpen", "edge", "laplacian", "emboss", "unsharp"})
        CHECK_FALSE(make_filter(name).outer_product());
    CHECK(make_filter("3x3: 0 0 0 0 0 0 0 0 0").outer_product());
    CHECK(make_filter("3x3: 0 0 0 2 4 6 1 2 3").outer_product());
}

TEST_CASE("renormalise is possible if every part of the taps has a positive sum") {
    CHECK(make_filter("gaussian", 9).can_renormalise());
    CHECK(make_filter("box", 3).can_renormalise());
    CHECK(make_filter("sharpen").can_renormalise());
    CHECK(make_filter("unsharp").can_renormalise());
    CHECK_FALSE(make_filter("sobel_x").can_renormalise());
    CHECK_FALSE(make_filter("laplacian").can_renormalise());
    CHECK_FALSE(make_filter("emboss").can_renormalise());  // a corner sums to -3
    CHECK_FALSE(make_filter("3x3: 1 1 1 1 1 1 1 1 1 / 8").can_renormalise());
}
