// Copyright (c) 2026 The Convolab authors
// SPDX-License-Identifier: MIT
//
// Lab 07, packed: every special path beside the reference, at widths around the ends of a warp's
// strip (480 bytes) and of a block (1,920), and what stands behind it.
#include "labs/07_separable/packed.cu"
#include "tests/catch.hpp"
#include "tests/labs_cuda/defect.hpp"

namespace convolab::defects {
namespace {

const std::vector<Border> kBorders = {{BorderRule::constant, 77}, {BorderRule::replicate},
                                      {BorderRule::reflect},      {BorderRule::reflect101},
                                      {BorderRule::wrap},         {BorderRule::valid},
                                      {BorderRule::renormalise}};

void check_packed(const Image& image, const Filter& filter, const Border& border) {
    const Job job = job_of(image, filter, 16, border);
    if (border.rule == BorderRule::renormalise && !filter.can_renormalise()) return;
    if (job.out_width() < 1 || job.out_height() < 1) return;
    const Comparison comparison = check_variant(separable::packed, job);
    INFO(filter.name() << ' ' << filter.ksize() << ", " << to_string(border) << ", "
                       << image.width() << 'x' << image.height() << 'x' << image.channels() << ": "
                       << comparison.first);
    CHECK(comparison.identical());
}

/// Binomial, power-of-two and other divisors, negative taps in the column and in the row, no
/// symmetry.
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

TEST_CASE("packed: every filter and border where strips and blocks end") {
    for (const int channels : {1, 3, 4}) {
        const int strip = 480 / channels;
        for (const int width : {1, strip - 1, strip, strip + 1, 4 * strip, 4 * strip + 5})
            for (const auto& border : kBorders)
                for (const auto& filter : filters())
                    check_packed(noise(width, 11, channels), filter, border);
    }
}

TEST_CASE("packed: heights around a band") {
    for (const int height : {1, 2, 5, 6, 7, 23, 24, 25, 61})
        for (const auto& border : kBorders)
            for (const auto& filter : filters()) check_packed(noise(37, height), filter, border);
}

TEST_CASE("packed: the kernel for large binomial images gives the same bytes") {
    using Large = Packed<separable::BinomialBody<3, 5, true>>;
    for (const int width : {7, 160, 645})
        for (const int height : {3, 8, 41}) {
            const Image image = noise(width, height);
            const Job job = job_of(image, make_filter("gaussian", 5), 16);
            Large large(job, {});
            CHECK(against_reference(result_of(large), job).identical());
        }
}

TEST_CASE("packed refuses in words what it is not made for") {
    const Image image = noise(20, 20);
    const auto refusal = [&](const Filter& filter) -> std::string {
        try {
            static_cast<void>(separable::packed.make(job_of(image, filter, 16)));
        } catch (const Unsupported& e) {
            return e.what();
        }
        return "";
    };
    CHECK(refusal(make_filter("gaussian", 11)).find("3, 5, 7 and 9") != std::string::npos);
    CHECK(refusal(make_filter("identity", 1)).find("3, 5, 7 and 9") != std::string::npos);
    CHECK(refusal(make_filter("laplacian")).find("outer product") != std::string::npos);
    const Filter large = make_filter("3x3: 1 1 1 300 300 300 1 1 1 / 906");
    CHECK(refusal(large).find("are larger") != std::string::npos);
}

TEST_CASE("filters over a power of two become sums whose byte 2 is the result") {
    const auto taps = separable::reduced(separable::taps_of(make_filter("gaussian", 7)));
    CHECK(taps.column == std::vector<std::int32_t>{2, 7, 14, 18, 14, 7, 2});
    CHECK(taps.divisor == 64 * 64);
    const auto shifted = separable::over_65536(taps);
    REQUIRE(shifted);
    CHECK(shifted->divisor == 65536);
    CHECK(separable::weight(shifted->column) * separable::weight(shifted->row) == 65536);
    const auto box = separable::reduced(separable::taps_of(make_filter("box", 5)));
    CHECK_FALSE(separable::over_65536(box));
}

TEST_CASE("a multiplication divides exactly, for every divisor") {
    for (std::int32_t divisor = 1; divisor <= 65536; divisor += divisor < 600 ? 1 : 97) {
        const auto dots = separable::dot_taps({{0, 1, 0}, {0, 1, 0}, divisor});
        std::int64_t wrong = 0;
        const auto check = [&](std::uint32_t n) {
            const auto high =
                static_cast<std::uint32_t>(std::uint64_t{2} * n * dots.multiplier >> 32);
            wrong += high >> dots.shift != n / static_cast<std::uint32_t>(divisor);
        };
        for (std::uint32_t k = 1; k < 300; ++k)
            for (const std::uint32_t at : {k * divisor - 1, k * divisor, k * divisor + 1})
                if (at < 1U << 24) check(at);
        check((1U << 24) - 1);
        CHECK(wrong == 0);
    }
}

__global__ void dots(const unsigned* d_words, int* d_sums) {
    const auto i = 4 * threadIdx.x;
    d_sums[i] = dot4_unsigned(d_words[i], d_words[i + 1], 5);
    d_sums[i + 1] = dot2_unsigned(d_words[i], d_words[i + 1], 5);
    d_sums[i + 2] = dot4_signed(d_words[i], d_words[i + 1], 5);
    d_sums[i + 3] = dot2_signed(d_words[i], d_words[i + 1], 5);
}

TEST_CASE("dot products of packed numbers, with and without signs") {
    std::mt19937 random(4);
    std::vector<unsigned> words(4 * 32);
    for (unsigned& word : words) word = static_cast<unsigned>(random());
    DeviceBuffer<unsigned> d_words(words.size());
    DeviceBuffer<int> d_sums(words.size());
    d_words.upload(words.data());
    launch(dots, 1, 32, 0, nullptr, static_cast<const unsigned*>(d_words.data()), d_sums.data());
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
/// Two rows copied, one waited for: the emulator copies as late as it may.
__global__ void wait_for_one(const uint4* d_in, uint4* d_out) {
    __shared__ uint4 s_rows[2][32];
    AsyncCopies copies;
    for (int row = 0; row < 2; ++row) {
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
    launch(wait_for_one, 1, 32, 0, nullptr, static_cast<const uint4*>(d_in.data()), d_out.data());
    std::vector<uint4> out(64);
    d_out.download(out.data());
    CHECK(std::memcmp(out.data(), in.data(), 512) == 0);
    CHECK(std::memcmp(out.data() + 32, in.data() + 512, 512) != 0);
}
#endif

}  // namespace
}  // namespace convolab::defects
