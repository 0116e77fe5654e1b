// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <vector>

#include "common/base/isa.hpp"
#include "common/base/random_bits.hpp"
#include "labs/08_heat_map/parts/heat_rows.hpp"
#include "labs/08_heat_map/parts/operation.hpp"
#include "tests/catch.hpp"

using namespace convolab;
using heat::Colour;

TEST_CASE("heat map: the colours are the rounded formula, in double and in float") {
    const auto colours = heat::all_colours();
    for (int d = 0; d < heat::kDifferences; ++d) {
        INFO("difference " << d);
        const Colour colour = colours[static_cast<std::size_t>(d)];
        const long double x = d / 765.0L, pi = 3.14159265358979323846264338327950288L;
        const auto close = [](std::uint8_t byte, long double s) {
            return std::fabs(std::fmax(255 * s, 0) - byte) <= 0.5L + 1e-12L;
        };
        CHECK(close(colour.red, std::sin(pi * x - pi / 2)));
        CHECK(close(colour.green, std::sin(pi * x)));
        CHECK(close(colour.blue, std::sin(pi * x + pi / 2)));
        CHECK(heat::colour_of<float>(d) == colour);
    }
    // The ties: 127.5 is rounded up.
    CHECK(colours[510].red == 128);
    CHECK(colours[255].blue == 128);
}

TEST_CASE("heat map: blue for no change, red for a full one") {
    const auto colours = heat::all_colours();
    CHECK(colours[0] == Colour{0, 0, 255});
    CHECK(colours[382].green == 255);
    CHECK(colours[765] == Colour{255, 0, 0});
    for (int d = 1; d < heat::kDifferences; ++d) {
        const auto now = colours[static_cast<std::size_t>(d)],
                   before = colours[static_cast<std::size_t>(d - 1)];
        CHECK(now.red >= before.red);
        CHECK(now.blue <= before.blue);
    }
}

TEST_CASE("heat map: tables, plain and SIMD, give the formula's bytes for any number of pixels") {
    const heat::Tables tables;
    std::vector<heat::HeatRows> all = {heat::heat_rows_plain};
    if (choose_isa() == Isa::avx512vnni) all.push_back(heat::heat_rows_avx512);
    for (const int pixels : {1, 2, 3, 63, 64, 65, 128, 255, 256, 257, 766, 1000}) {
        std::vector<std::uint8_t> previous(3 * pixels), current(3 * pixels), right(3 * pixels);
        for (std::size_t i = 0; i < previous.size(); ++i) {
            previous[i] = static_cast<std::uint8_t>(random_bits(i) >> 8);
            current[i] = static_cast<std::uint8_t>(random_bits(i) >> 16);
            if (pixels == 766) {  // each difference once
                const int d = static_cast<int>(i) / 3, c = static_cast<int>(i) % 3;
                previous[i] = c == 1 ? 255 : 0;
                const int change = std::clamp(d - 255 * c, 0, 255);
                current[i] = static_cast<std::uint8_t>(c == 1 ? 255 - change : change);
            }
        }
        for (int i = 0; i < 3 * pixels; i += 3)
            heat::put(&right[i],
                      heat::colour_of<double>(heat::difference(&previous[i], &current[i])));
        for (const heat::HeatRows heat_rows : all) {
            std::vector<std::uint8_t> out(3 * pixels + 1,
                                          0xA5);  // one more byte, which must stay
            heat_rows(tables, previous.data(), current.data(), out.data(), pixels);
            INFO(pixels << " pixels");
            CHECK(out.back() == 0xA5);
            out.pop_back();
            CHECK(out == right);
        }
    }
}

TEST_CASE("heat map: the colours of some changes, by the reference and by the variants' header") {
    struct Change {
        std::uint8_t before[3], after[3];
        int difference;
        Colour colour;
    };
    constexpr Change kChanges[] = {{{7, 8, 9}, {7, 8, 9}, 0, {0, 0, 255}},
                                   {{10, 20, 30}, {30, 10, 35}, 35, {0, 37, 252}},
                                   {{255, 0, 0}, {0, 0, 0}, 255, {0, 221, 128}},
                                   {{0, 255, 9}, {255, 0, 9}, 510, {128, 221, 0}},
                                   {{255, 0, 255}, {0, 255, 0}, 765, {255, 0, 0}}};
    Image previous(5, 1, 3), current(5, 1, 3);
    for (int i = 0; i < 5; ++i) {
        std::copy_n(kChanges[i].before, 3, previous.data<std::uint8_t>() + 3 * i);
        std::copy_n(kChanges[i].after, 3, current.data<std::uint8_t>() + 3 * i);
    }
    const Job job{{&previous, &current}, make_filter("identity", 1), {}, {}};
    const Image result = heat::operation().reference(job);
    for (int i = 0; i < 5; ++i) {
        INFO("change " << i);
        const std::uint8_t* found = result.data<std::uint8_t>() + 3 * i;
        CHECK(Colour{found[0], found[1], found[2]} == kChanges[i].colour);
        CHECK(heat::difference(kChanges[i].before, kChanges[i].after) == kChanges[i].difference);
        CHECK(heat::colour_of<double>(kChanges[i].difference) == kChanges[i].colour);
    }
}
