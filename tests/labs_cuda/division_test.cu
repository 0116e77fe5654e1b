// SPDX-License-Identifier: MIT
// The divisions of the packed kernels and of lab 12, for every sum that a filter can have.
#include <algorithm>

#include "common/cuda/bit_division.hpp"
#include "common/cuda/float_division.hpp"
#include "common/cuda/packed_dots.hpp"
#include "labs/12_tensor/parts/toeplitz.hpp"
#include "tests/catch.hpp"
#include "tests/labs_cuda/defect.hpp"

namespace convolab::defects {
namespace {

constexpr std::int32_t kMostIn24Bits = (1 << 24) - 1;

struct InOneInstruction {
    BitDivision division;
    __device__ bool is_right(int sum, int byte) const {
        const int sums[4] = {sum, sum, sum, sum};
        return division.four_bytes(sums) == 0x01010101U * static_cast<unsigned>(byte);
    }
};
struct InTwoInstructions {
    FloatDivision division;
    __device__ bool is_right(int sum, int byte) const {
        return (division.byte(division.start + sum) & 255U) == static_cast<unsigned>(byte);
    }
};

template <class Division>
__global__ void divide_sums(Division division, int divisor, int first, int last, int* d_wrong) {
    const auto threads = static_cast<int>(gridDim.x * blockDim.x);
    int wrong = 0;
    for (int sum = first + static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x); sum <= last;
         sum += threads)
        wrong += !division.is_right(sum, sum < 0 ? 0 : min((sum + divisor / 2) / divisor, 255));
    if (wrong > 0) atomicAdd(d_wrong, wrong);
}

/// The number of sums from `first` to `last` that are divided wrongly.
template <class Division>
int wrong_sums(const Division& division, int divisor, int first, int last) {
    auto d_wrong = on_device(std::vector<int>{0});
    divide_sums<<<16, 256>>>(division, divisor, first, last, d_wrong.data());
    CUDA_CHECK(cudaGetLastError());
    return on_host(d_wrong)[0];
}

TEST_CASE("one instruction divides exactly, for every sum of 24 bits") {
    for (const int divisor : {1, 9, 25, 32769, 46573, 65535}) {
        const auto division = find_bit_division(divisor, kMostIn24Bits);
        REQUIRE(division);
        INFO(divisor);
        CHECK(wrong_sums(InOneInstruction{*division}, divisor, -kMostIn24Bits, kMostIn24Bits) == 0);
    }
    for (int divisor = 1; divisor < 46575; ++divisor)
        if (!find_bit_division(divisor, kMostIn24Bits)) FAIL(divisor);
    CHECK_FALSE(find_bit_division(46575, kMostIn24Bits));
    CHECK_FALSE(find_bit_division(25, 1 << 24));
}

TEST_CASE("lab 12: one instruction, or two, divide every sum of many filters") {
    for (const char* text :
         {"1x1: 1", "1x1: 127 / 2", "1x1: 127 / 65535", "1x1: -128",
          "3x3: 127 127 127 127 127 127 127 127 127 / 7", "3x3: 1 1 1 1 1 1 1 1 1 / 9",
          "3x3: 127 -128 9 1 1 1 1 1 1 / 65536", "3x3: 127 -128 9 1 1 1 1 1 1 / 255"}) {
        const tensor_cores::Toeplitz matrix(make_filter(text), 3);
        const int divisor = matrix.divisor(), first = -255 * 128 * 9, last = matrix.largest_sum();
        INFO(text);
        CHECK(wrong_sums(InOneInstruction{bit_division(divisor, last)}, divisor, first, last) == 0);
        CHECK(wrong_sums(InTwoInstructions{float_division(divisor, last)}, divisor, first, last) ==
              0);
    }
    constexpr std::int32_t kLargest = 255 * 127 * 81;
    for (int divisor = 1; divisor <= 65536; divisor += divisor < 1000 ? 1 : 97) {
        CHECK_NOTHROW(bit_division(divisor, kLargest));
        CHECK_NOTHROW(float_division(divisor, kLargest));
    }
}

/// Whether the sums k * divisor - 1, k * divisor and k * divisor + 1 are divided correctly, for k =
/// 1 .. 255.
__global__ void divide(const FastDivision* d_divisions, const int* d_divisors, int* d_wrong) {
    const int divisor = d_divisors[blockIdx.x];
    const FastDivision division = d_divisions[blockIdx.x];
    const int k = static_cast<int>(threadIdx.x) + 1;
    int wrong = division.byte(-k) != 0;
    for (int sum = k * divisor - 1; sum <= k * divisor + 1; ++sum)
        if (sum < 1 << 24) wrong += division.byte(sum) != min(sum / divisor, 255);
    atomicAdd(d_wrong, wrong);
}

TEST_CASE("a multiplication divides exactly, for every divisor") {
    std::vector<int> divisors = {65535, 65536};
    for (int d = 1; d <= 65536; d += d < 300 ? 1 : 251) divisors.push_back(d);
    std::vector<FastDivision> divisions;
    for (const int d : divisors) divisions.push_back(fast_division(d));
    const auto d_divisors = on_device(divisors);
    const auto d_divisions = on_device(divisions);
    auto d_wrong = on_device(std::vector<int>{0});
    divide<<<static_cast<unsigned>(divisors.size()), 299>>>(d_divisions.data(), d_divisors.data(),
                                                            d_wrong.data());
    CUDA_CHECK(cudaGetLastError());
    CHECK(on_host(d_wrong)[0] == 0);
}

}  // namespace
}  // namespace convolab::defects
