// Copyright (c) 2026 The Convolab authors
// SPDX-License-Identifier: MIT
#include "common/measurement/statistics.hpp"

#include <limits>

#include "common/base/error.hpp"
#include "tests/catch.hpp"

using namespace convolab;

TEST_CASE("statistics of numbers worked out by hand") {
    const Statistics s = statistics({2, 4, 4, 4, 5, 5, 7, 9});
    CHECK(s.n == 8);
    CHECK(s.mean == 5);
    CHECK(s.stddev == Approx(2.1380899));  // sqrt(32 / 7)
    CHECK(s.min == 2);
    CHECK(s.median == 4.5);
    CHECK(s.p95 == Approx(8.3));  // between the 7th (7) and the 8th (9) of 8: 0.95 * 7 = 6.65
    CHECK(s.spread() == Approx(2.1380899 / 5));
}

TEST_CASE("one sample has no spread, and order does not matter") {
    CHECK(statistics({3}).stddev == 0);
    CHECK(statistics({3}).p95 == 3);
    CHECK(statistics({9, 1, 5}).median == 5);
}

TEST_CASE("no samples and samples that are not numbers are errors") {
    CHECK_THROWS_AS(statistics({}), Error);
    CHECK_THROWS_AS(statistics({1, std::numeric_limits<double>::quiet_NaN()}), Error);
    CHECK_THROWS_AS(statistics({1, std::numeric_limits<double>::infinity()}), Error);
}
