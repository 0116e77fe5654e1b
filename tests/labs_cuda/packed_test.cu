// SPDX-License-Identifier: MIT
// The functions of the packed kernels of labs 05 and 07.
#include <cstring>

#include "common/cuda/async_copy.hpp"
#include "common/cuda/packed_dots.hpp"
#include "labs/05_cuda_shared/parts/direct_taps.hpp"
#include "tests/catch.hpp"
#include "tests/labs_cuda/defect.hpp"

namespace convolab::defects {
namespace {

TEST_CASE("filters over a power of two become sums whose byte 2 is the result") {
    const auto taps = reduced(taps_of(make_filter("gaussian", 7)));
    CHECK(taps.column == std::vector<std::int32_t>{2, 7, 14, 18, 14, 7, 2});
    CHECK(taps.divisor == 64 * 64);
    const auto shifted = over_65536(taps);
    REQUIRE(shifted);
    CHECK(shifted->divisor == 65536);
    CHECK(weight(shifted->column) * weight(shifted->row) == 65536);
    const auto box = reduced(taps_of(make_filter("box", 5)));
    CHECK_FALSE(over_65536(box));
}

TEST_CASE("lab 05: as many digits as the taps need") {
    const auto digits = [](const char* filter) {
        int count = 0;
        static_cast<void>(cuda_shared::direct_taps(make_filter(filter), count));
        return count;
    };
    CHECK(digits("3x3: 0 0 0 -128 0 127 0 0 0 / 1") == 1);
    CHECK(digits("3x3: 0 0 0 0 128 0 0 0 0 / 1") == 2);
    CHECK(digits("3x3: 0 0 0 0 256 512 0 0 0 / 256") == 1);  // 1 2 over 1
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
    const auto d_words = on_device(words);
    DeviceBuffer<int> d_sums(words.size());
    dots<<<1, 32>>>(d_words.data(), d_sums.data());
    const std::vector<int> sums = on_host(d_sums);
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
