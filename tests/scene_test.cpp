// SPDX-License-Identifier: MIT
#include "common/media/scene.hpp"

#include <cstdlib>
#include <cstring>
#include <set>

#include "common/base/error.hpp"
#include "common/image/resample.hpp"
#include "tests/catch.hpp"
#include "tests/kit.hpp"

using namespace convolab;

namespace {

struct Expected {
    std::int64_t width, height;
    std::uint32_t hash;
};

// Measurements of different machines are comparable only on the same picture. Whoever changes the
// scene must change these values, and announce it.
constexpr Expected kExpected[] = {
    {1, 1, 0x01F596E4},       {1, 7, 0x4E3B3378},     {97, 3, 0x76D8BE1B},
    {320, 180, 0x44A6F231},   {853, 480, 0xB5532C47}, {3000, 300, 0x1BE1A4CA},
    {3001, 2100, 0x36931445},
};

}  // namespace

TEST_CASE("scene: the same bytes on every machine, with every compiler") {
    for (const Expected& expected : kExpected) {
        INFO(expected.width << "x" << expected.height);
        const Image image = draw_scene(expected.width, expected.height);
        CHECK(image.width() == expected.width);
        CHECK(image.height() == expected.height);
        CHECK(image.channels() == 3);
        CHECK(test::crc_32(image.raw(), image.bytes()) == expected.hash);
    }
}

TEST_CASE("scene: awkward sizes are drawn, impossible ones are errors") {
    for (const auto& [width, height] :
         {std::pair{1, 1}, {2, 1}, {1, 2}, {15, 17}, {7, 301}, {4097, 3}, {65535, 2}, {2, 65535}})
        CHECK(draw_scene(width, height).pixels() == std::int64_t{width} * height);
    for (const auto& [width, height] : {std::pair{0, 5}, {5, 0}, {-1, 5}, {65536, 1}, {1, 65536}})
        CHECK_THROWS_AS(draw_scene(width, height), Error);
}

TEST_CASE("scene: it has detail, hard edges and flat areas") {
    const Image image = draw_scene(1280, 720);
    const std::uint8_t* p = image.data<std::uint8_t>();
    std::set<std::uint32_t> colours;
    std::int64_t steps = 0, flat = 0;
    for (std::int64_t i = 3; i < image.samples(); i += 3) {
        colours.insert(std::uint32_t{p[i]} << 16 | std::uint32_t{p[i + 1]} << 8 | p[i + 2]);
        const int difference = std::abs(p[i] - p[i - 3]);
        steps += difference > 100;
        flat += std::memcmp(p + i, p + i - 3, 3) == 0;
    }
    CHECK(colours.size() > 20000);
    CHECK(steps > image.pixels() / 200);
    CHECK(flat > image.pixels() / 50);
}

TEST_CASE("scene: the same composition at any size") {
    const Image small = draw_scene(320, 180);
    const Image reduced = centre_crop_and_resample(draw_scene(1280, 720), 320, 180);
    double difference = 0;
    for (std::int64_t i = 0; i < small.samples(); ++i)
        difference += std::abs(small.data<std::uint8_t>()[i] - reduced.data<std::uint8_t>()[i]);
    CHECK(difference / static_cast<double>(small.samples()) < 16);
}
