// SPDX-License-Identifier: MIT
#include "common/image/image.hpp"

#include <cstdint>
#include <cstring>

#include "common/base/error.hpp"
#include "tests/catch.hpp"

using namespace convolab;

namespace {
Image counted(std::int64_t width, std::int64_t height, int channels, PixelType type,
              Layout layout) {
    Image image(width, height, channels, type, layout);
    int n = 0;
    for (std::int64_t y = 0; y < height; ++y)
        for (std::int64_t x = 0; x < width; ++x)
            for (int c = 0; c < channels; ++c) image.set_value(x, y, c, n++ % 256);
    return image;
}
}  // namespace

TEST_CASE("the index rules of both layouts") {
    const Image interleaved(5, 4, 3);
    CHECK(interleaved.index(2, 3, 1) == (3 * 5 + 2) * 3 + 1);
    const Image planar(5, 4, 3, PixelType::uint8, Layout::planar);
    CHECK(planar.index(2, 3, 1) == 1 * 20 + 3 * 5 + 2);
    CHECK(interleaved.bytes() == 60);
    CHECK(reinterpret_cast<std::uintptr_t>(interleaved.raw()) % 64 == 0);
}

TEST_CASE("conversions keep every value, there and back") {
    const Image image = counted(7, 5, 4, PixelType::uint8, Layout::interleaved);
    for (const auto type : {PixelType::uint8, PixelType::int32, PixelType::float32})
        for (const auto layout : {Layout::interleaved, Layout::planar}) {
            const Image there = convert(image, type, layout);
            CHECK(there.type() == type);
            CHECK(there.value(6, 4, 3) == image.value(6, 4, 3));
            const Image back = convert(there, PixelType::uint8, Layout::interleaved);
            CHECK(std::memcmp(back.raw(), image.raw(), image.bytes()) == 0);
        }
}

TEST_CASE("floats are rounded half up and clamped on their way to bytes") {
    Image image(4, 1, 1, PixelType::float32);
    const float values[] = {-3.0F, 2.5F, 254.49F, 300.0F};
    for (int x = 0; x < 4; ++x) image.data<float>()[x] = values[x];
    const Image bytes = convert(image, PixelType::uint8, Layout::interleaved);
    CHECK(bytes.value(0, 0, 0) == 0);
    CHECK(bytes.value(1, 0, 0) == 3);
    CHECK(bytes.value(2, 0, 0) == 254);
    CHECK(bytes.value(3, 0, 0) == 255);
}

TEST_CASE("crops are the rectangle, in both layouts") {
    for (const auto layout : {Layout::interleaved, Layout::planar}) {
        const Image image = counted(9, 6, 3, PixelType::int32, layout);
        const Image part = crop(image, 2, 1, 4, 3);
        for (std::int64_t y = 0; y < 3; ++y)
            for (std::int64_t x = 0; x < 4; ++x)
                for (int c = 0; c < 3; ++c)
                    REQUIRE(part.value(x, y, c) == image.value(x + 2, y + 1, c));
        CHECK_THROWS_AS(crop(image, 6, 0, 4, 1), Error);
        CHECK_THROWS_AS(crop(image, -1, 0, 1, 1), Error);
    }
}

TEST_CASE("a picture in the caller's memory uses that memory, and gives it back") {
    static std::byte memory[30];
    static int freed = 0;
    Image image(5, 2, 3);
    for (int i = 0; i < 30; ++i) image.data<std::uint8_t>()[i] = static_cast<std::uint8_t>(7 * i);
    {
        Image there = image.in_memory(memory, [](std::byte* given) { freed += given == memory; });
        CHECK(there.raw() == memory);
        CHECK(std::memcmp(there.raw(), image.raw(), 30) == 0);
        Image moved = std::move(there);
        const Image copy = moved.copy();  // in new memory
        CHECK(copy.raw() != memory);
        CHECK(std::memcmp(copy.raw(), image.raw(), 30) == 0);
        std::swap(moved, image);
        CHECK(freed == 0);
    }
    CHECK(image.raw() == memory);
    image = Image();
    CHECK(freed == 1);
}

TEST_CASE(
    "a picture that is given away and needs no conversion is moved; a copy has its own memory") {
    Image image = counted(7, 5, 3, PixelType::uint8, Layout::interleaved);
    const std::byte* memory = image.raw();
    const Image copy = convert(image, PixelType::uint8, Layout::interleaved);
    CHECK(copy.raw() != memory);
    CHECK(std::memcmp(copy.raw(), memory, copy.bytes()) == 0);
    Image same = convert(std::move(image), PixelType::uint8, Layout::interleaved);
    CHECK(same.raw() == memory);
    CHECK(image.empty());  // so that it is not taken for a picture of its old size
    CHECK(image.raw() == nullptr);
    const Image planar = convert(std::move(same), PixelType::uint8, Layout::planar);
    CHECK(planar.value(3, 2, 1) == copy.value(3, 2, 1));
    CHECK(Image::shape(4, 3, 3).copy().raw() == nullptr);
    static_assert(!std::is_copy_constructible_v<Image> && !std::is_copy_assignable_v<Image>);
}

TEST_CASE("impossible images are errors") {
    CHECK_THROWS_AS(Image(0, 1, 1), Error);
    CHECK_THROWS_AS(Image(1, -1, 1), Error);
    CHECK_THROWS_AS(Image(1, 1, 2), Error);
    CHECK_THROWS_AS(Image(std::int64_t{1} << 40, std::int64_t{1} << 40, 3), Error);
    Image bytes(1, 1, 1);
    CHECK_THROWS_AS(bytes.data<float>(), Error);
}
