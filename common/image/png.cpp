// Copyright (c) 2026 The Convolab authors
// SPDX-License-Identifier: MIT
//
// Reading. libpng reports errors by longjmp, which must not cross a C++ object with a destructor:
// every call into it is in a function called through guarded() that owns nothing.
#include "common/image/png.hpp"

#include <png.h>

#include <algorithm>
#include <cerrno>
#include <csetjmp>
#include <cstdio>
#include <cstring>
#include <new>
#include <vector>

#include "common/base/error.hpp"
#include "common/image/png_file.hpp"

namespace convolab {
namespace {

struct Reader : PngFile {
    explicit Reader(const std::string& path) : PngFile(open_png(path)), path(path) {}
    ~Reader() {
        if (png) png_destroy_read_struct(&png, &info, nullptr);
    }
    Reader(const Reader&) = delete;
    Reader& operator=(const Reader&) = delete;

    const std::string& path;
    png_structp png = nullptr;
    png_infop info = nullptr;
    std::size_t head_given = 0;                 ///< bytes of the head that libpng has
    char problem[160] = "", warning[160] = "";  ///< libpng's, of warnings the first

    png_uint_32 width = 0, height = 0;
    int depth = 0, kind = 0, passes = 1;  ///< as in the file; kind: PNG_COLOR_TYPE_*
    bool transparent = false;             ///< it has a tRNS chunk
    bool animated = false;                ///< it has an acTL chunk: APNG
    int samples = 0;                      ///< a pixel's, as libpng hands them out
    png_colorp palette = nullptr;
    png_bytep palette_alpha = nullptr;
    int palette_size = 0, palette_alphas = 0;
};

[[noreturn]] void on_error(png_structp png, png_const_charp message) {
    auto* reader = static_cast<Reader*>(png_get_error_ptr(png));
    std::snprintf(reader->problem, sizeof reader->problem, "%s", message);
    png_longjmp(png, 1);
}
void on_warning(png_structp png, png_const_charp message) {
    auto* reader = static_cast<Reader*>(png_get_error_ptr(png));
    if (reader->warning[0] == 0)
        std::snprintf(reader->warning, sizeof reader->warning, "%s", message);
}

void on_read(png_structp png, png_bytep out, std::size_t size) {
    auto* reader = static_cast<Reader*>(png_get_io_ptr(png));
    const std::size_t known = std::min(size, reader->head_size - reader->head_given);
    std::memcpy(out, reader->head + reader->head_given, known);
    reader->head_given += known;
    if (known == size) return;
    if (std::fread(out + known, 1, size - known, reader->file.get()) == size - known) return;
    png_error(png,
              std::ferror(reader->file.get()) ? std::strerror(errno) : "the file ends too early");
}

void guarded(Reader& reader, void (*step)(Reader&, unsigned char*), unsigned char* rows = nullptr) {
    if (setjmp(png_jmpbuf(reader.png)) == 0) return step(reader, rows);
    throw Error("File '" + reader.path + "' is a damaged PNG (" + reader.problem +
                "): export or download it again.");
}

void read_information(Reader& r, unsigned char*) {
    // Viewers pass over what libpng calls benign, and so do we, with a note. Text, profiles, gamma
    // and all else that the pixels do not need is skipped unread.
    constexpr png_byte kAnimation[] = "acTL";
    png_set_benign_errors(r.png, 1);
    png_set_keep_unknown_chunks(r.png, PNG_HANDLE_CHUNK_NEVER, nullptr, -1);
    png_set_keep_unknown_chunks(r.png, PNG_HANDLE_CHUNK_ALWAYS, kAnimation, 1);
    png_set_user_limits(r.png, kPngMaxSide, kPngMaxSide);
    png_set_chunk_malloc_max(r.png, 0);  // a long chunk is no fault, and none is unpacked
    png_set_read_fn(r.png, &r, on_read);
    png_read_info(r.png, r.info);
    int interlace = 0;
    png_get_IHDR(r.png, r.info, &r.width, &r.height, &r.depth, &r.kind, &interlace, nullptr,
                 nullptr);
    r.transparent = png_get_valid(r.png, r.info, PNG_INFO_tRNS) != 0;
    png_unknown_chunkp kept = nullptr;
    r.animated = png_get_unknown_chunks(r.png, r.info, &kept) > 0;

    if (r.kind == PNG_COLOR_TYPE_PALETTE) {  // read as indices: libpng's own expansion lets
        png_set_packing(r.png);              // indices past the palette's end through, and its
        png_set_check_for_invalid_index(r.png, 0);  // check misses those of 8 bits
        png_get_PLTE(r.png, r.info, &r.palette, &r.palette_size);
        if (r.transparent)
            png_get_tRNS(r.png, r.info, &r.palette_alpha, &r.palette_alphas, nullptr);
    } else {
        if (r.transparent) png_set_tRNS_to_alpha(r.png);
        if (r.depth < 8) png_set_expand_gray_1_2_4_to_8(r.png);
        if (r.depth == 16) png_set_scale_16(r.png);
    }
    r.passes = png_set_interlace_handling(r.png);
    png_read_update_info(r.png, r.info);
    r.samples = png_get_channels(r.png, r.info);
}

void read_rows(Reader& r, unsigned char* rows) {
    const std::size_t stride = std::size_t{r.width} * static_cast<std::size_t>(r.samples);
    for (int pass = 0; pass < r.passes; ++pass)
        for (png_uint_32 y = 0; y < r.height; ++y) png_read_row(r.png, rows + y * stride, nullptr);
    png_read_end(r.png, nullptr);  // up to IEND: a file cut behind the last row is damaged too
}

/// Takes pixels of a palette or with alpha, as libpng handed them out, apart into colour and alpha.
/// Returns how many name a colour past the palette's end; these are black.
std::int64_t separate(const Reader& r, const std::vector<unsigned char>& pixels, Picture& picture) {
    const bool palette = r.kind == PNG_COLOR_TYPE_PALETTE;
    const int colours = palette || r.samples > 2 ? 3 : 1;
    const bool alpha = !palette || r.transparent;
    picture.colour = Image(r.width, r.height, colours);
    if (alpha) picture.alpha = Image(r.width, r.height, 1);
    auto* colour_out = picture.colour.data<std::uint8_t>();
    auto* alpha_out = alpha ? picture.alpha.data<std::uint8_t>() : nullptr;
    std::int64_t past_the_end = 0;
    for (const unsigned char* pixel = pixels.data(); pixel != pixels.data() + pixels.size();
         pixel += r.samples) {
        if (palette) {
            const bool is_known = *pixel < r.palette_size;
            const png_color entry = is_known ? r.palette[*pixel] : png_color{};
            past_the_end += is_known ? 0 : 1;
            for (const auto value : {entry.red, entry.green, entry.blue}) *colour_out++ = value;
            if (alpha)
                *alpha_out++ =
                    *pixel < r.palette_alphas ? r.palette_alpha[*pixel] : std::uint8_t{255};
        } else {
            for (int c = 0; c < colours; ++c) *colour_out++ = pixel[c];
            *alpha_out++ = pixel[colours];
        }
    }
    return past_the_end;
}

std::string pixels_in_words(std::int64_t count) {
    return count == 1 ? "1 pixel" : std::to_string(count) + " pixels";
}

std::string note_of(const Reader& r, const Image& alpha, std::int64_t past_the_end) {
    std::string note;
    const auto* first = alpha.empty() ? nullptr : alpha.data<std::uint8_t>();
    const std::int64_t transparent =
        std::count_if(first, first + alpha.samples(), [](std::uint8_t a) { return a < 255; });
    if (transparent > 0)
        note +=
            "The colours of transparent pixels are filtered as if they were visible, and reach "
            "their neighbours (" +
            pixels_in_words(transparent) + "). ";
    if (past_the_end > 0)
        note += "A colour past the end of the palette became black (" +
                pixels_in_words(past_the_end) + "). ";
    if (r.kind == PNG_COLOR_TYPE_PALETTE) note += "The palette was expanded to RGB. ";
    if (r.depth == 16) note += "16-bit samples were scaled to 8 bits. ";
    if (r.depth < 8 && r.kind == PNG_COLOR_TYPE_GRAY)
        note += std::to_string(r.depth) + "-bit samples were scaled to 8 bits. ";
    if (r.animated) note += "It is animated (APNG): only its first picture was read. ";
    if (r.warning[0] != 0)
        note += std::string("A fault was passed over (libpng: ") + r.warning + "). ";
    if (!note.empty()) note.pop_back();
    return note;
}

}  // namespace

Picture read_png(const std::string& path) try {
    Reader reader(path);
    reader.png = png_create_read_struct(PNG_LIBPNG_VER_STRING, &reader, on_error, on_warning);
    if (reader.png) reader.info = png_create_info_struct(reader.png);
    if (!reader.info) throw std::bad_alloc();
    guarded(reader, read_information);
    Picture picture;
    std::int64_t past_the_end = 0;
    if (reader.kind != PNG_COLOR_TYPE_PALETTE && reader.samples % 2 == 1) {  // without alpha
        picture.colour = Image(reader.width, reader.height, reader.samples);
        guarded(reader, read_rows, picture.colour.data<std::uint8_t>());
    } else {
        std::vector<unsigned char> pixels(std::size_t{reader.width} * reader.height *
                                          static_cast<std::size_t>(reader.samples));
        guarded(reader, read_rows, pixels.data());
        past_the_end = separate(reader, pixels, picture);
    }
    picture.note = note_of(reader, picture.alpha, past_the_end);
    return picture;
} catch (const std::bad_alloc&) {
    throw Error("File '" + path + "' does not fit in the memory that is free: make it smaller.");
}

}  // namespace convolab
