// SPDX-License-Identifier: MIT
#include "common/media/png.hpp"
#include "tests/catch.hpp"
#include "tests/png_kit.hpp"

using namespace convolab;
using namespace convolab::test;

namespace {

/// Compares read_png() with the picture of the recipe, computed without libpng.
void check_recipe(const Recipe& recipe, const std::string& path) {
    INFO("kind " << recipe.kind << ", depth " << recipe.depth << ", interlace "
                 << recipe.interlace);
    spill(path, png_bytes(recipe));
    const Picture picture = read_png(path);
    const bool palette = recipe.kind == PNG_COLOR_TYPE_PALETTE;
    const int channels = recipe.channels();
    const int colours = palette || channels > 2 ? 3 : 1;
    const bool alpha = recipe.key || !recipe.palette_alpha.empty() || channels % 2 == 0;
    REQUIRE(picture.colour.width() == recipe.width);
    REQUIRE(picture.colour.height() == recipe.height);
    REQUIRE(picture.colour.channels() == colours);
    REQUIRE(picture.alpha.empty() == !alpha);
    const unsigned most = (1u << recipe.depth) - 1;
    const auto to_8_bits = [&](unsigned v) { return (2 * v * 255 + most) / (2 * most); };
    int wrong = 0;
    bool transparent = false;
    for (int y = 0; y < recipe.height; ++y)
        for (int x = 0; x < recipe.width; ++x) {
            unsigned expected[4] = {0, 0, 0, 255};
            const unsigned first = recipe.sample(x, y, 0);
            if (palette) {
                const png_color colour = recipe.palette[first];
                expected[0] = colour.red, expected[1] = colour.green, expected[2] = colour.blue;
                if (first < recipe.palette_alpha.size()) expected[3] = recipe.palette_alpha[first];
            } else {
                bool keyed = recipe.key;
                for (int c = 0; c < colours; ++c) {
                    expected[c] = to_8_bits(recipe.sample(x, y, c));
                    keyed = keyed && recipe.sample(x, y, c) == recipe.sample(0, 0, c);
                }
                if (keyed) expected[3] = 0;
                if (channels % 2 == 0) expected[3] = to_8_bits(recipe.sample(x, y, channels - 1));
            }
            for (int c = 0; c < colours; ++c) wrong += picture.colour.value(x, y, c) != expected[c];
            if (alpha) wrong += picture.alpha.value(x, y, 0) != expected[3];
            transparent = transparent || (alpha && expected[3] < 255);
        }
    CHECK(wrong == 0);
    CHECK((picture.note.find("16-bit") != std::string::npos) == (recipe.depth == 16));
    CHECK((picture.note.find("transparent") != std::string::npos) == transparent);
    if (recipe.depth == 8 && !palette && !transparent) CHECK(picture.note.empty());
}

}  // namespace

TEST_CASE("png: every colour type, depth and interlacing") {
    const Folder folder;
    const std::string path = folder.file("x.png");
    const auto check = [&](int depth, int kind, int interlace, bool key) {
        check_recipe({.width = 13,
                      .height = 11,
                      .depth = depth,
                      .kind = kind,
                      .interlace = interlace,
                      .key = key},
                     path);
    };
    for (const int interlace : {PNG_INTERLACE_NONE, PNG_INTERLACE_ADAM7}) {
        for (const bool key : {false, true}) {
            for (const int depth : {1, 2, 4, 8, 16})
                check(depth, PNG_COLOR_TYPE_GRAY, interlace, key);
            for (const int depth : {8, 16}) check(depth, PNG_COLOR_TYPE_RGB, interlace, key);
        }
        for (const int depth : {8, 16}) {
            check(depth, PNG_COLOR_TYPE_GRAY_ALPHA, interlace, false);
            check(depth, PNG_COLOR_TYPE_RGB_ALPHA, interlace, false);
        }
        for (const int depth : {1, 2, 4, 8})
            for (const int alphas : {0, 1, 2})
                check_recipe(palette_recipe(depth, interlace, alphas), path);
    }
    // Text is skipped, not unpacked: 64 MiB of it cost nothing.
    check_recipe({.width = 3, .height = 3, .text = 64 << 20}, path);
}
