// SPDX-License-Identifier: MIT
// The division in one instruction that lab 05's and lab 07's `packed` use, for every sum that a
// filter can have; and a filter whose divisor has none.
#include <algorithm>

#include "common/cuda/bit_division.hpp"
#include "labs/07_separable/parts/dot_taps.hpp"
#include "labs/07_separable/variants.hpp"
#include "tests/catch.hpp"
#include "tests/labs_cuda/packed.hpp"

namespace convolab::defects {
namespace {

/// Counts the wrong bytes of 4 x 1024 sums, from `first` on in steps of `count`.
__global__ void divide_sums(BitDivision division, int divisor, int first, int count, int* d_wrong) {
    const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
    int wrong = 0;
    for (int k = 0; k < 1024; ++k) {
        int sums[4];
        unsigned expected = 0;
        for (int n = 0; n < 4; ++n) {
            sums[n] = first + i + (4 * k + n) * count;
            const int byte = sums[n] < 0 ? 0 : min((sums[n] + divisor / 2) / divisor, 255);
            constexpr int kPlaces[4] = {0, 16, 8, 24};
            expected |= static_cast<unsigned>(byte) << kPlaces[n];
        }
        wrong += division.four_bytes(sums) != expected;
    }
    if (wrong > 0) atomicAdd(d_wrong, wrong);
}

TEST_CASE("one multiplication divides exactly, for every sum of 24 bits") {
    for (const int divisor : {1, 25, 32769, 46573, 65535}) {
        const auto division = find_bit_division(divisor, (1 << 24) - 1);
        REQUIRE(division);
        DeviceBuffer<int> d_wrong(1);
        d_wrong.fill(0);
        for (const int first : {-(1 << 24), 0})  // 2^12 threads with 2^12 sums
            divide_sums<<<16, 256>>>(*division, divisor, first, 1 << 12, d_wrong.data());
        CUDA_CHECK(cudaGetLastError());
        int wrong = -1;
        d_wrong.download(&wrong);
        INFO(divisor);
        CHECK(wrong == 0);
    }
    for (int divisor = 1; divisor < 46575; ++divisor)
        if (!find_bit_division(divisor, (1 << 24) - 1)) FAIL(divisor);
    CHECK_FALSE(find_bit_division(46575, (1 << 24) - 1));
    CHECK_FALSE(find_bit_division(25, 1 << 24));
}

TEST_CASE("packed: sums over 2^23, with and without a division in one instruction") {
    Image white(500, 11, 3);
    const Image other = noise(500, 11);
    std::fill_n(white.data<std::uint8_t>(), white.samples(), 255);
    for (const std::int32_t divisor : {46573, 46575}) {
        std::vector<std::int32_t> taps;
        for (const std::int32_t down : {67, 66, 67})
            for (const std::int32_t along : {79, 80, 81}) taps.push_back(down * along);
        const Filter filter("large", 3, taps, divisor);
        const auto parts = reduced(taps_of(filter));
        CHECK(separable::fits(parts, -128, 127));
        CHECK(find_bit_division(parts.divisor, separable::largest_sum(parts)).has_value() ==
              (divisor == 46573));
        for (const Image* image : std::initializer_list<const Image*>{&white, &other})
            check_packed(separable::packed, *image, filter, {});
    }
}

}  // namespace
}  // namespace convolab::defects
