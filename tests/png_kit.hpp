// SPDX-License-Identifier: MIT
// Helpers of the PNG tests: files of every kind, written by libpng itself, and damaged files.
#pragma once

#include <png.h>

#include <cstdint>
#include <string>
#include <vector>

#include "tests/kit.hpp"

namespace convolab::test {

/// The contents of a PNG file. Samples are as the file counts them (indices for a palette).
struct Recipe {
    int width = 5, height = 3, depth = 8, kind = PNG_COLOR_TYPE_RGB;
    int interlace = PNG_INTERLACE_NONE;
    std::vector<png_color> palette = {};
    std::vector<png_byte> palette_alpha = {};
    bool key = false;          ///< tRNS: the sample values of the first pixel are transparent
    int text = 0;              ///< a zTXt chunk that unpacks to this many bytes
    unsigned index_limit = 0;  ///< palette indices run below this; 0: the palette's size

    int channels() const {
        return kind == PNG_COLOR_TYPE_RGB          ? 3
               : kind == PNG_COLOR_TYPE_RGB_ALPHA  ? 4
               : kind == PNG_COLOR_TYPE_GRAY_ALPHA ? 2
                                                   : 1;
    }
    unsigned sample(int x, int y, int c) const {
        const auto mix =
            static_cast<unsigned>(x * 7919 + y * 104729 + c * 1299709 + 12345) * 2654435761u;
        const unsigned value = mix >> 13 & ((1u << depth) - 1);
        if (kind != PNG_COLOR_TYPE_PALETTE) return value;
        return value % (index_limit ? index_limit : static_cast<unsigned>(palette.size()));
    }
};

/// A palette with one entry less than the depth allows, the first `alphas` of them with alpha.
inline Recipe palette_recipe(int depth, int interlace, int alphas) {
    Recipe recipe{.width = 9,
                  .height = 9,
                  .depth = depth,
                  .kind = PNG_COLOR_TYPE_PALETTE,
                  .interlace = interlace};
    for (int i = 0; i < (1 << depth) - (depth > 1); ++i)
        recipe.palette.push_back({static_cast<png_byte>(i * 3 + 1), static_cast<png_byte>(255 - i),
                                  static_cast<png_byte>(i * i)});
    for (int i = 0; i < alphas; ++i) recipe.palette_alpha.push_back(static_cast<png_byte>(i * 90));
    return recipe;
}

inline std::string png_bytes(const Recipe& recipe) {
    std::string out;
    png_structp png = png_create_write_struct(PNG_LIBPNG_VER_STRING, nullptr, nullptr, nullptr);
    png_infop info = png_create_info_struct(png);
    png_set_write_fn(
        png, &out,
        [](png_structp p, png_bytep bytes, std::size_t n) {
            static_cast<std::string*>(png_get_io_ptr(p))->append(reinterpret_cast<char*>(bytes), n);
        },
        [](png_structp) {});
    png_set_IHDR(png, info, static_cast<png_uint_32>(recipe.width),
                 static_cast<png_uint_32>(recipe.height), recipe.depth, recipe.kind,
                 recipe.interlace, PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
    png_set_check_for_invalid_index(png, -1);
    if (!recipe.palette.empty())
        png_set_PLTE(png, info, recipe.palette.data(), static_cast<int>(recipe.palette.size()));
    png_color_16 key{};
    key.gray = key.red = static_cast<png_uint_16>(recipe.sample(0, 0, 0));
    key.green = static_cast<png_uint_16>(recipe.sample(0, 0, 1));
    key.blue = static_cast<png_uint_16>(recipe.sample(0, 0, 2));
    if (recipe.key) png_set_tRNS(png, info, nullptr, 0, &key);
    if (!recipe.palette_alpha.empty())
        png_set_tRNS(png, info, recipe.palette_alpha.data(),
                     static_cast<int>(recipe.palette_alpha.size()), nullptr);
    std::string words(static_cast<std::size_t>(recipe.text), 'a');
    png_text text{};
    text.compression = PNG_TEXT_COMPRESSION_zTXt;
    text.key = const_cast<char*>("Comment");
    text.text = words.data();
    if (recipe.text) png_set_text(png, info, &text, 1);
    png_write_info(png, info);

    const int passes = png_set_interlace_handling(png);
    std::vector<png_byte> row(static_cast<std::size_t>(recipe.width) * recipe.channels() * 2 + 8);
    for (int pass = 0; pass < passes; ++pass)
        for (int y = 0; y < recipe.height; ++y) {
            std::fill(row.begin(), row.end(), png_byte{0});
            for (int i = 0; i < recipe.width * recipe.channels(); ++i) {
                const unsigned v = recipe.sample(i / recipe.channels(), y, i % recipe.channels());
                const std::size_t bit = static_cast<std::size_t>(i) * recipe.depth;
                if (recipe.depth == 16) {
                    row[bit / 8] = static_cast<png_byte>(v >> 8);
                    row[bit / 8 + 1] = static_cast<png_byte>(v & 255);
                } else {
                    row[bit / 8] |= static_cast<png_byte>(v << (8 - recipe.depth - bit % 8));
                }
            }
            png_write_row(png, row.data());
        }
    png_write_end(png, info);
    png_destroy_write_struct(&png, &info);
    return out;
}

inline std::string big_endian(std::uint32_t value) {
    std::string out;
    for (int shift = 24; shift >= 0; shift -= 8) out += static_cast<char>(value >> shift & 255);
    return out;
}

/// A chunk with the right checksum, whatever its contents.
inline std::string chunk(const std::string& name, const std::string& body) {
    return big_endian(static_cast<std::uint32_t>(body.size())) + name + body +
           big_endian(crc_32(name + body));
}

/// A file that claims this size but contains hardly any pixels.
inline std::string claim(std::uint32_t width, std::uint32_t height, char depth, char kind) {
    const std::string rest = std::string{depth, kind} + std::string(3, '\0');
    return "\x89PNG\r\n\x1a\n" + chunk("IHDR", big_endian(width) + big_endian(height) + rest) +
           chunk("IDAT", std::string("\x78\x9c\x63\x00\x00\x00\x01\x00\x01", 9)) +
           chunk("IEND", "");
}

}  // namespace convolab::test
