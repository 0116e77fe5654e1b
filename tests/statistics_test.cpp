// SPDX-License-Identifier: MIT
#include "common/measurement/statistics.hpp"

#include <cstdint>
#include <limits>

#include "common/base/error.hpp"
#include "common/base/random_bits.hpp"
#include "tests/catch.hpp"

using namespace convolab;

TEST_CASE("statistics of numbers worked out by hand") {
    const Statistics s = statistics({2, 4, 4, 4, 5, 5, 7, 9});
    CHECK(s.n == 8);
    CHECK(s.median == 4.5);
    CHECK(s.p95 == Approx(8.3));  // between the 7th (7) and the 8th (9) of 8: 0.95 * 7 = 6.65
    CHECK(s.p05 == Approx(2.7));  // between the 1st (2) and the 2nd (4): 0.05 * 7 = 0.35
}

TEST_CASE("one sample has no spread, and order does not matter") {
    CHECK(statistics({3}).p05 == 3);
    CHECK(statistics({3}).p95 == 3);
    CHECK(statistics({9, 1, 5}).median == 5);
}

TEST_CASE("no samples and samples that are not numbers are errors") {
    CHECK_THROWS_AS(statistics({}), Error);
    CHECK_THROWS_AS(statistics({1, std::numeric_limits<double>::quiet_NaN()}), Error);
    CHECK_THROWS_AS(statistics({1, std::numeric_limits<double>::infinity()}), Error);
}

TEST_CASE("ranks of the interval of the median, from tables of the binomial distribution") {
    // n = 10: P(at most 1 below) = 11 / 1024 = 1.1 %, of at most 2: 5.5 %. n = 100: 39 and 40.
    CHECK(median_rank(0) == 0);
    CHECK(median_rank(5) == 0);  // 1 / 32 on each side is more than 2.5 %
    CHECK(median_rank(6) == 1);
    CHECK(median_rank(8) == 1);
    CHECK(median_rank(9) == 2);
    CHECK(median_rank(10) == 2);
    CHECK(median_rank(20) == 6);
    CHECK(median_rank(100) == 40);
    CHECK(median_rank(100000) == 49690);  // n / 2 - 1.96 * sqrt(n) / 2 = 49690.1
}

TEST_CASE("the interval of the median is two samples, and contains the median as often as stated") {
    const Statistics s = statistics({10, 1, 2, 3, 4, 5, 6, 7, 8, 9});
    REQUIRE(s.median_interval);
    CHECK(s.median_interval->low == 2);
    CHECK(s.median_interval->high == 9);
    CHECK(*s.median_uncertainty() == Approx(7 / 5.5));
    CHECK_FALSE(statistics({1, 2, 3, 4, 5}).median_interval);
    CHECK_FALSE(statistics({1, 2, 3, 4, 5}).median_uncertainty());

    constexpr int kTrials = 4000;
    int held = 0;
    std::uint64_t counter = 0;
    for (int trial = 0; trial < kTrials; ++trial) {
        std::vector<double> samples;
        for (int i = 0; i < 20; ++i) {  // skewed: the true median is 1/8
            const double x =
                static_cast<double>(random_bits(counter += kRandomStep) >> 11) * 0x1p-53;
            samples.push_back(x * x * x);
        }
        const auto interval = *statistics(samples).median_interval;
        held += interval.low <= 0.125 && 0.125 <= interval.high;
    }
    CHECK(held > 0.95 * kTrials);  // by the binomial distribution 95.9 %
    CHECK(held < 0.97 * kTrials);
}
