// SPDX-License-Identifier: MIT
#include <vector>

#include "common/base/isa.hpp"
#include "common/base/random_bits.hpp"
#include "common/noise_map/change.hpp"
#include "common/noise_map/mark_rows.hpp"
#include "labs/09_noise_map/parts/operations.hpp"
#include "labs/10_noise_filter/parts/operations.hpp"
#include "tests/catch.hpp"

using namespace convolab;

namespace {

using Bytes = std::vector<std::uint8_t>;

Bytes marks(const Bytes& previous, const Bytes& current) {
    Bytes marks(previous.size());
    for (std::size_t i = 0; i < marks.size(); i += 3)
        marks[i] = noise::pixel_changed(&previous[i], &current[i]) ? 255 : 0;
    return marks;
}

std::vector<noise::MarkRows> all_mark_rows() {
    std::vector<noise::MarkRows> all = {noise::mark_rows_plain};
    if (choose_isa() >= Isa::avx512) all.push_back(noise::mark_rows_avx512);
    return all;
}

}  // namespace

TEST_CASE("noise map: a change is more than the threshold, in either direction") {
    for (int a = 0; a < 256; ++a)
        for (int b = 0; b < 256; ++b) {
            const bool changed = a - b > 20 || b - a > 20;
            if (noise::sample_changed(a, b) != changed) FAIL(a << " and " << b);
        }
    const std::uint8_t black[3] = {0, 0, 0};
    for (int c = 0; c < 3; ++c) {
        std::uint8_t other[3] = {0, 0, 0};
        other[c] = 20;
        CHECK_FALSE(noise::pixel_changed(black, other));
        other[c] = 21;
        CHECK(noise::pixel_changed(black, other));
    }
}

TEST_CASE("noise map: plain and SIMD mark the same pixels, for any number of them") {
    for (const int pixels : {1, 2, 3, 21, 22, 63, 64, 65, 128, 255, 256, 257, 1000}) {
        Bytes previous(3 * pixels), current(3 * pixels);
        for (std::size_t i = 0; i < previous.size(); ++i) {
            previous[i] = static_cast<std::uint8_t>(random_bits(i) >> 8);
            const int step = static_cast<int>(random_bits(i) >> 16 & 15) - 8;  // few are over 20
            current[i] = static_cast<std::uint8_t>(previous[i] + 3 * step);
        }
        for (const noise::MarkRows mark_rows : all_mark_rows()) {
            Bytes out(3 * pixels + 1, 0xA5);  // one more byte, which must stay
            mark_rows(previous.data(), current.data(), out.data(), pixels);
            INFO(pixels << " pixels");
            CHECK(out.back() == 0xA5);
            out.pop_back();
            CHECK(out == marks(previous, current));
        }
    }
}

TEST_CASE("noise map: each sample alone marks its own pixel and no other") {
    constexpr int kPixels = 130;
    for (int i = 0; i < 3 * kPixels; ++i) {
        const Bytes previous(3 * kPixels, 100);
        Bytes current = previous, right(3 * kPixels);
        current[i] = 200;
        right[i / 3 * 3] = 255;
        for (const noise::MarkRows mark_rows : all_mark_rows()) {
            Bytes out(3 * kPixels, 0xA5);
            mark_rows(previous.data(), current.data(), out.data(), kPixels);
            if (out != right) FAIL("sample " << i);
        }
    }
}

TEST_CASE("noise map and filter: which gray levels count as changed, by the references") {
    const auto red_of = [](const Operation& operation, const char* filter, int before, int after) {
        Image previous(5, 4, 3), current(5, 4, 3);
        previous.poison(static_cast<std::uint8_t>(before));
        current.poison(static_cast<std::uint8_t>(after));
        const Job job{{&previous, &current}, make_filter(filter, 3), {}, {}};
        const Image out = operation.reference(job);
        return out.value(4, 3, 0);
    };
    constexpr struct {
        int before, after, red;
    } kCases[] = {{100, 120, 0},  {100, 121, 255}, {100, 80, 0},
                  {100, 79, 255}, {0, 255, 255},   {255, 0, 255}};
    for (const auto& [before, after, red] : kCases) {
        INFO(before << " to " << after);
        CHECK(red_of(noise::red_on_black(), "identity", before, after) == red);
        for (const char* filter : {"box", "gaussian", "median"})
            CHECK(red_of(noise_filter::marks(), filter, before, after) == red);
    }
}
