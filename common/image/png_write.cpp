// Copyright (c) 2026 The Convolab authors
// SPDX-License-Identifier: MIT
//
// Writing: the file is made in memory, so that libpng can only fail for want of memory, and then
// put in place by write_whole_file().
#include <png.h>

#include <algorithm>
#include <csetjmp>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <new>
#include <vector>

#include "common/base/atomic_file.hpp"
#include "common/base/error.hpp"
#include "common/image/png.hpp"

namespace convolab {
namespace {

struct Writer {
    Writer() = default;
    ~Writer() {
        if (png) png_destroy_write_struct(&png, &info);
        std::free(bytes);
    }
    Writer(const Writer&) = delete;
    Writer& operator=(const Writer&) = delete;

    png_structp png = nullptr;
    png_infop info = nullptr;
    unsigned char* bytes = nullptr;  ///< malloc's: the callback that grows it must not throw
    std::size_t size = 0, capacity = 0;
};

[[noreturn]] void on_error(png_structp png, png_const_charp) { png_longjmp(png, 1); }
void on_warning(png_structp, png_const_charp) {}
void on_flush(png_structp) {}

void on_write(png_structp png, png_bytep bytes, std::size_t size) {
    auto* writer = static_cast<Writer*>(png_get_io_ptr(png));
    if (writer->capacity - writer->size < size) {
        const std::size_t capacity =
            std::max(writer->capacity * 3 / 2, writer->size + size + 65536);
        void* grown = std::realloc(writer->bytes, capacity);
        if (!grown) png_error(png, "out of memory");
        writer->bytes = static_cast<unsigned char*>(grown);
        writer->capacity = capacity;
    }
    std::memcpy(writer->bytes + writer->size, bytes, size);
    writer->size += size;
}

/// The picture to be written: interleaved colour, alpha or null, and a row to join them in.
struct Source {
    std::int64_t width, height;
    int channels;
    const std::uint8_t* colour;
    const std::uint8_t* alpha;
    std::uint8_t* row;
};

/// Owns nothing: libpng leaves it by longjmp. False where memory ran out.
bool encode(Writer& w, const Source& source) {
    if (setjmp(png_jmpbuf(w.png)) != 0) return false;
    const int samples = source.channels + (source.alpha ? 1 : 0);
    constexpr int kKinds[] = {PNG_COLOR_TYPE_GRAY, PNG_COLOR_TYPE_GRAY_ALPHA, PNG_COLOR_TYPE_RGB,
                              PNG_COLOR_TYPE_RGB_ALPHA};
    png_set_write_fn(w.png, &w, on_write, on_flush);
    png_set_user_limits(w.png, kPngMaxSide, kPngMaxSide);
    png_set_IHDR(w.png, w.info, static_cast<png_uint_32>(source.width),
                 static_cast<png_uint_32>(source.height), 8, kKinds[samples - 1],
                 PNG_INTERLACE_NONE, PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
    // One fixed filter and a low level: less work than libpng's choice, for larger files.
    png_set_filter(w.png, PNG_FILTER_TYPE_BASE, PNG_FILTER_SUB);
    png_set_compression_level(w.png, 2);
    png_write_info(w.png, w.info);
    for (std::int64_t y = 0; y < source.height; ++y) {
        const std::uint8_t* colour = source.colour + y * source.width * source.channels;
        if (source.alpha) {
            std::uint8_t* out = source.row;
            for (std::int64_t x = 0; x < source.width; ++x) {
                for (int c = 0; c < source.channels; ++c) *out++ = colour[x * source.channels + c];
                *out++ = source.alpha[y * source.width + x];
            }
        }
        png_write_row(w.png, source.alpha ? source.row : colour);
    }
    png_write_end(w.png, w.info);
    return true;
}

}  // namespace

void write_png(const std::string& path, const Image& colour, const Image& alpha) try {
    const std::string file = "File '" + path + "' cannot be written: ";
    if (colour.empty()) throw Error(file + "the image has no pixels.");
    if (colour.type() != PixelType::uint8)
        throw Error(file + "the image contains " + to_string(colour.type()) +
                    " samples and PNG takes uint8; convert() it first.");
    if (colour.width() > kPngMaxSide || colour.height() > kPngMaxSide)
        throw Error(file + describe(colour) + " is over the limit of " +
                    std::to_string(kPngMaxSide) + " pixels per side.");
    if (!alpha.empty() &&
        (alpha.type() != PixelType::uint8 || alpha.channels() != 1 || colour.channels() == 4 ||
         alpha.width() != colour.width() || alpha.height() != colour.height()))
        throw Error(file + "alpha (" + describe(alpha) + ") does not fit the colour (" +
                    describe(colour) + "): it must be 1 channel of uint8 of the same size.");

    Image interleaved;
    const bool ready = colour.layout() == Layout::interleaved;
    if (!ready) interleaved = convert(colour, PixelType::uint8, Layout::interleaved);
    std::vector<std::uint8_t> row(alpha.empty() ? 0 : static_cast<std::size_t>(colour.width()) * 4);
    const Source source{colour.width(),
                        colour.height(),
                        colour.channels(),
                        (ready ? colour : interleaved).data<std::uint8_t>(),
                        alpha.empty() ? nullptr : alpha.data<std::uint8_t>(),
                        row.data()};
    Writer writer;
    writer.png = png_create_write_struct(PNG_LIBPNG_VER_STRING, nullptr, on_error, on_warning);
    if (writer.png) writer.info = png_create_info_struct(writer.png);
    if (!writer.info || !encode(writer, source)) throw std::bad_alloc();
    write_whole_file(path, writer.bytes, writer.size);
} catch (const std::bad_alloc&) {
    throw Error("File '" + path + "' cannot be written: not enough memory is free.");
}

}  // namespace convolab
