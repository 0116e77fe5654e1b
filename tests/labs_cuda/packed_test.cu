// SPDX-License-Identifier: MIT
// Lab 07, packed: every special path, and the functions it uses, compared with the reference.
#include <cstring>

#include "common/cuda/async_copy.hpp"
#include "labs/07_separable/parts/dot_taps.hpp"
#include "labs/07_separable/variants.hpp"
#include "tests/catch.hpp"
#include "tests/labs_cuda/packed.hpp"

namespace convolab::defects {
namespace {

/// Binomial filters, power-of-two and other divisors, negative taps in the column and in the row,
/// filters without symmetry.
std::vector<Filter> filters() {
    std::vector<Filter> all = {
        make_filter("gaussian", 3, 0.5),
        make_filter("gaussian", 5, 1.1),
        make_filter("gaussian", 7, 2.0),
        make_filter("gaussian", 9, 0.9),
        make_filter("sobel_x"),
        make_filter("sobel_y"),
        make_filter("3x3: 1 2 1 2 4 2 1 2 1 / 16"),
        make_filter("3x3: -100 100 0 -127 127 0 28 -28 0 / 7"),
        make_filter("5x5: 1 4 2 3 1 2 8 4 6 2 3 12 6 9 3 5 20 10 15 5 7 28 14 21 7 / 198")};
    for (const int ksize : {3, 5, 7, 9}) {
        all.push_back(make_filter("gaussian", ksize));
        all.push_back(make_filter("box", ksize));
    }
    return all;
}

/// The first K taps of a column and of a row. The first tap exceeds 8 bits, and its sums exceed 16.
Filter wide(int ksize, std::int32_t divisor) {
    constexpr int kColumn[] = {-3, 331, 128, -1, 2, 0, -129, 5, 6};
    constexpr int kRow[] = {1, 7, -12, 30, 2, 0, 9, -3, 4};
    std::vector<std::int32_t> taps;
    for (int j = 0; j < ksize; ++j)
        for (int i = 0; i < ksize; ++i) taps.push_back(kColumn[j] * kRow[i]);
    return {"wide", ksize, taps, divisor};
}

TEST_CASE("packed: separable filters with taps over 8 bits") {
    const std::vector<Filter> filters = {wide(3, 1),
                                         wide(5, 901),
                                         wide(7, 6003),
                                         wide(9, 65521),
                                         make_filter("3x3: 1 1 1 300 300 300 1 1 1 / 906"),
                                         make_filter("3x3: 0 -1 0 0 40001 0 0 -25534 0 / 3"),
                                         make_filter("3x3: 0 0 0 -32768 0 32639 0 0 0 / 77")};
    check_widths(separable::packed, filters);
    check_heights(separable::packed, filters);
}

TEST_CASE("packed: every filter and border at the ends of strips and blocks") {
    check_widths(separable::packed, filters());
}
TEST_CASE("packed: heights around a band") { check_heights(separable::packed, filters()); }

TEST_CASE("packed: the body for large binomial images gives the same bytes") {
    const Image image = noise(5600, 5300, 1);  // over 28 MiB
    const Job job = job_of(image, make_filter("gaussian", 5), 16);
    CHECK(check_variant(separable::packed, job).identical());
}

TEST_CASE("packed names what it does not support") {
    const Image image = noise(20, 20);
    const auto refusal = [&](const Filter& filter) -> std::string {
        try {
            static_cast<void>(separable::packed.make(job_of(image, filter, 16)));
        } catch (const Unsupported& e) {
            return e.what();
        }
        return "";
    };
    CHECK(refusal(make_filter("gaussian", 11)).find("3, 5, 7, 9") != std::string::npos);
    CHECK(refusal(make_filter("identity", 1)).find("3, 5, 7, 9") != std::string::npos);
    CHECK(refusal(make_filter("laplacian")).find("outer product") != std::string::npos);
}

TEST_CASE("filters over a power of two become sums whose byte 2 is the result") {
    const auto taps = reduced(taps_of(make_filter("gaussian", 7)));
    CHECK(taps.column == std::vector<std::int32_t>{2, 7, 14, 18, 14, 7, 2});
    CHECK(taps.divisor == 64 * 64);
    const auto shifted = separable::over_65536(taps);
    REQUIRE(shifted);
    CHECK(shifted->divisor == 65536);
    CHECK(separable::weight(shifted->column) * separable::weight(shifted->row) == 65536);
    const auto box = reduced(taps_of(make_filter("box", 5)));
    CHECK_FALSE(separable::over_65536(box));
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
    std::vector<int> divisors;
    for (int d = 1; d <= 65536; d += d < 300 ? 1 : 251) divisors.push_back(d);
    divisors.push_back(65535);
    divisors.push_back(65536);
    std::vector<FastDivision> divisions;
    for (const int d : divisors) divisions.push_back(fast_division(d));
    DeviceBuffer<int> d_divisors(divisors.size()), d_wrong(1);
    DeviceBuffer<FastDivision> d_divisions(divisions.size());
    d_divisors.upload(divisors.data());
    d_divisions.upload(divisions.data());
    d_wrong.fill(0);
    divide<<<static_cast<unsigned>(divisors.size()), 299>>>(d_divisions.data(), d_divisors.data(),
                                                            d_wrong.data());
    CUDA_CHECK(cudaGetLastError());
    int wrong = -1;
    d_wrong.download(&wrong);
    CHECK(wrong == 0);
}

__global__ void dots(const unsigned* d_words, int* d_sums) {
    const auto i = 4 * threadIdx.x;
    d_sums[i] = dp4a_unsigned(d_words[i], d_words[i + 1], 5);
    d_sums[i + 1] = dp2a_unsigned(d_words[i], d_words[i + 1], 5);
    d_sums[i + 2] = dp4a_signed(d_words[i], d_words[i + 1], 5);
    d_sums[i + 3] = dp2a_signed(d_words[i], d_words[i + 1], 5);
}

TEST_CASE("dot products of packed numbers, with and without signs") {
    std::mt19937 random(4);
    std::vector<unsigned> words(4 * 32);
    for (unsigned& word : words) word = static_cast<unsigned>(random());
    DeviceBuffer<unsigned> d_words(words.size());
    DeviceBuffer<int> d_sums(words.size());
    d_words.upload(words.data());
    dots<<<1, 32>>>(d_words.data(), d_sums.data());
    std::vector<int> sums(words.size());
    d_sums.download(sums.data());
    for (std::size_t i = 0; i < words.size(); i += 4) {
        int four = 5, two = 5, four_signed = 5, two_signed = 5;
        for (int k = 0; k < 4; ++k) {
            const int sample = words[i] >> (8 * k) & 255;
            const int half = words[i] >> (16 * (k % 2)) & 65535;
            const int tap = words[i + 1] >> (8 * k) & 255;
            const int tap_signed = static_cast<std::int8_t>(tap);
            four += sample * tap;
            four_signed += sample * tap_signed;
            if (k < 2) two += half * tap;
            if (k < 2) two_signed += half * tap_signed;
        }
        CHECK(sums[i] == four);
        CHECK(sums[i + 1] == two);
        CHECK(sums[i + 2] == four_signed);
        CHECK(sums[i + 3] == two_signed);
    }
}

#ifdef CUDA_ON_CPU
/// Copies two rows but waits for one. The emulator copies as late as it may. The previous bytes,
/// here the same, are gone once the copy is called.
__global__ void wait_for_one(const uint4* d_in, uint4* d_out) {
    __shared__ uint4 s_rows[2][32];
    AsyncCopies copies;
    for (int row = 0; row < 2; ++row) {
        s_rows[row][threadIdx.x] = d_in[32 * row + threadIdx.x];
        copies.copy_16(&s_rows[row][threadIdx.x], &d_in[32 * row + threadIdx.x]);
        copies.close_group();
    }
    copies.wait<1>();
    for (int row = 0; row < 2; ++row) d_out[32 * row + threadIdx.x] = s_rows[row][threadIdx.x];
}

TEST_CASE("a copy that was not waited for has not arrived") {
    std::vector<unsigned char> in(2 * 512);
    for (std::size_t i = 0; i < in.size(); ++i) in[i] = static_cast<unsigned char>(i % 251);
    DeviceBuffer<uint4> d_in(64), d_out(64);
    d_in.upload(reinterpret_cast<const uint4*>(in.data()));
    wait_for_one<<<1, 32>>>(d_in.data(), d_out.data());
    std::vector<uint4> out(64);
    d_out.download(out.data());
    CHECK(std::memcmp(out.data(), in.data(), 512) == 0);
    CHECK(std::memcmp(out.data() + 32, in.data() + 512, 512) != 0);
}
#endif

}  // namespace
}  // namespace convolab::defects
