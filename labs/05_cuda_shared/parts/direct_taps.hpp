// SPDX-License-Identifier: MIT
// The taps of a filter as `packed` uses them: 8 bits each, four per word. Filters with larger taps
// use two digits, tap = low + 256 high, each from -128 to 127.
#pragma once

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <string>
#include <vector>

#include "common/base/error.hpp"
#include "common/convolution/filter.hpp"
#include "common/cuda/bit_division.hpp"
#include "common/cuda/packed_arithmetic.hpp"

namespace convolab::cuda_shared {

struct DirectTaps {
    unsigned digits[2][2][7];  ///< [digit][word of the window][column], as feed() keeps the rows
    BitDivision division;      ///< of filters with one digit
    int start;                 ///< half the divisor, and
    FastDivision fast;         ///< the division of filters with two
};

/// Taps and divisor without their common factor, as digits; `digits` becomes the number needed.
/// Throws Unsupported if two are not enough.
inline DirectTaps direct_taps(const Filter& filter, int& digits) {
    std::int32_t factor = filter.divisor();
    for (const std::int32_t tap : filter.taps()) factor = std::gcd(factor, tap);
    DirectTaps taps{};
    const std::int32_t divisor = filter.divisor() / factor;
    taps.start = divisor / 2;
    taps.fast = fast_division(divisor);
    std::int32_t largest_sum = 0;
    digits = 1;
    for (int i = 0; i < filter.ksize(); ++i) {
        std::vector<std::int32_t> column[2];  // of both digits
        for (int j = 0; j < filter.ksize(); ++j) {
            const std::int32_t tap = filter.tap(i, j) / factor;
            const std::int32_t low = ((tap + 128) & 255) - 128;
            const std::int32_t high = (tap - low) / 256;
            if (high < -128 || high > 127)
                throw Unsupported(
                    "The packed kernel takes taps from -32768 to 32639; the filter '" +
                    filter.name() + "' has one of " + std::to_string(tap) + ".");
            if (high != 0) digits = 2;
            largest_sum += 255 * std::max(tap, 0);
            column[0].push_back(low);
            column[1].push_back(high);
        }
        for (int digit = 0; digit < 2; ++digit) {
            unsigned words[3] = {};
            put_column(column[digit], words);
            for (int w = 0; w < 2; ++w) taps.digits[digit][w][i] = words[w];
        }
    }
    if (digits == 1) taps.division = bit_division(divisor, largest_sum);
    return taps;
}

}  // namespace convolab::cuda_shared
