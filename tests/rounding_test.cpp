// SPDX-License-Identifier: MIT
#include "common/convolution/rounding.hpp"

#include <cmath>

#include "common/cuda/divisor.hpp"
#include "tests/catch.hpp"

using namespace convolab;

TEST_CASE("rounding is half up and clamps") {
    CHECK(round_to_byte(std::int64_t{1}, std::int64_t{2}) == 1);
    CHECK(round_to_byte(std::int64_t{3}, std::int64_t{2}) == 2);
    CHECK(round_to_byte(std::int64_t{5}, std::int64_t{2}) == 3);
    CHECK(round_to_byte(std::int64_t{-1}, std::int64_t{2}) == 0);
    CHECK(round_to_byte(std::int64_t{-100}, std::int64_t{1}) == 0);
    CHECK(round_to_byte(std::int64_t{1000}, std::int64_t{1}) == 255);
    CHECK(round_to_byte(-0.4F, 1.0F) == 0);
}

TEST_CASE(
    "float division, and a multiplication in its place, give the integers' byte at every rounding "
    "point of every divisor") {
    // Wrong bytes can only appear next to s / d = n - 1/2: try the sums on both sides of each.
    long long tried = 0;
    for (std::int64_t d = 1; d <= 65536; d += d < 1024 || d > 65000 ? 1 : 7) {
        const Divisor divisor(static_cast<std::int32_t>(d));
        for (std::int64_t n = 0; n <= 256; ++n) {
            const std::int64_t s0 = (2 * n - 1) * d / 2;
            for (std::int64_t s = s0 - 1; s <= s0 + 1; ++s) {
                if (std::abs(s) > 255LL * 65536) continue;
                ++tried;
                const auto in_floats = round_to_byte(static_cast<float>(s), static_cast<float>(d));
                const auto multiplied = to_sample<std::uint8_t>(static_cast<float>(s), divisor);
                if (in_floats != round_to_byte(s, d) || multiplied != round_to_byte(s, d)) {
                    INFO("sum " << s << " divisor " << d);
                    REQUIRE(in_floats == round_to_byte(s, d));
                    REQUIRE(multiplied == round_to_byte(s, d));
                }
            }
        }
    }
    CHECK(tried > 5'000'000);
}
