// SPDX-License-Identifier: MIT
// Reading. libpng reports errors by longjmp, which must not cross a C++ object with a destructor:
// every call into it is in a function called through guarded() that owns nothing.
#include "common/media/png.hpp"

#include <png.h>

#include <algorithm>
#include <cerrno>
#include <csetjmp>
#include <cstdio>
#include <cstring>
#include <memory>
#include <new>
#include <vector>

#include "common/base/error.hpp"

namespace convolab {
namespace {

struct Reader {
    explicit Reader(const std::string& path)
        : path(path), file(std::fopen(path.c_str(), "rb"), std::fclose) {}
    ~Reader() {
        if (png) png_destroy_read_struct(&png, &info, nullptr);
    }

    const std::string& path;
    std::unique_ptr<std::FILE, int (*)(std::FILE*)> file;
    png_structp png = nullptr;
    png_infop info = nullptr;
    char problem[160] = "", warning[160] = "";  ///< libpng's, of warnings the first
    png_uint_32 width = 0, height = 0;
    int depth = 0, kind = 0, passes = 1;  ///< as in the file; kind: PNG_COLOR_TYPE_*
    bool animated = false;                ///< it has an acTL chunk: APNG
    int samples = 0;                      ///< a pixel's, as libpng hands them out
    png_colorp palette = nullptr;
    png_bytep palette_alpha = nullptr;
    int palette_size = 0, palette_alphas = 0;
    png_bytep exif = nullptr;
    png_uint_32 exif_bytes = 0;

    bool has_palette() const { return kind == PNG_COLOR_TYPE_PALETTE; }
};

constexpr int kSignature = 8;  // bytes
void read_signature(const Reader& r) {
    const std::string file = "File '" + r.path + "' ";
    if (!r.file)
        throw Error(file + "cannot be read: " + std::strerror(errno) +
                    (errno == ENOENT ? "; check the name." : "; check its permissions."));
    unsigned char signature[kSignature];
    if (std::fread(signature, 1, kSignature, r.file.get()) < kSignature ||
        png_sig_cmp(signature, 0, kSignature) != 0)
        throw Error(file + "is not a PNG: make one with `ffmpeg -i '" + r.path +
                    "' -frames:v 1 out.png`.");
}

/// Before memory is taken. A palette may bring alpha.
void require_fits(const Reader& r) {
    const int samples = r.kind == PNG_COLOR_TYPE_GRAY ? 1 : r.kind == PNG_COLOR_TYPE_RGB ? 3 : 4;
    if (r.width <= kPngMaxSide && r.height <= kPngMaxSide &&
        std::int64_t{r.width} * r.height <= kPngMaxSamples / samples)
        return;
    throw Error("File '" + r.path + "' is over the limit of " + std::to_string(kPngMaxSide) +
                " pixels per side and " + std::to_string(kPngMaxSamples) +
                " samples in all: make it smaller first.");
}

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

void guarded(Reader& reader, void (*step)(Reader&, unsigned char*), unsigned char* rows = nullptr) {
    if (setjmp(png_jmpbuf(reader.png)) == 0) return step(reader, rows);
    throw Error("File '" + reader.path + "' is a damaged PNG (" + reader.problem +
                "): export or download it again.");
}

void read_information(Reader& r, unsigned char*) {
    // Viewers pass over what libpng calls benign, and so do we, with a note. Text, profiles, gamma
    // and all else that the pixels do not need is skipped unread.
    constexpr png_byte kAnimation[] = "acTL", kExif[] = "eXIf";
    png_set_benign_errors(r.png, 1);
    png_set_keep_unknown_chunks(r.png, PNG_HANDLE_CHUNK_NEVER, nullptr, -1);
    png_set_keep_unknown_chunks(r.png, PNG_HANDLE_CHUNK_ALWAYS, kAnimation, 1);
    png_set_keep_unknown_chunks(r.png, PNG_HANDLE_CHUNK_AS_DEFAULT, kExif, 1);
    png_set_user_limits(r.png, PNG_UINT_31_MAX, PNG_UINT_31_MAX);  // require_fits() says more
    png_set_chunk_malloc_max(r.png, 0);  // a long chunk is no fault, and none is unpacked
    png_init_io(r.png, r.file.get());
    png_set_sig_bytes(r.png, kSignature);
    png_read_info(r.png, r.info);
    png_get_IHDR(r.png, r.info, &r.width, &r.height, &r.depth, &r.kind, nullptr, nullptr, nullptr);
    png_unknown_chunkp kept = nullptr;
    r.animated = png_get_unknown_chunks(r.png, r.info, &kept) > 0;
    require_fits(r);
    if (r.has_palette()) {       // read as indices: libpng's own expansion lets indices past the
        png_set_packing(r.png);  // palette's end through, and its check misses those of 8 bits
        png_set_check_for_invalid_index(r.png, 0);
        png_get_PLTE(r.png, r.info, &r.palette, &r.palette_size);
        png_get_tRNS(r.png, r.info, &r.palette_alpha, &r.palette_alphas, nullptr);
    } else {
        png_set_expand(r.png);  // fewer than 8 bits to 8, a transparent colour to alpha
        png_set_scale_16(r.png);
    }
    r.passes = png_set_interlace_handling(r.png);
    png_read_update_info(r.png, r.info);
    r.samples = png_get_channels(r.png, r.info);
}

void read_rows(Reader& r, unsigned char* rows) {
    const std::size_t stride = std::size_t{r.width} * static_cast<std::size_t>(r.samples);
    for (int pass = 0; pass < r.passes; ++pass)
        for (png_uint_32 y = 0; y < r.height; ++y) png_read_row(r.png, rows + y * stride, nullptr);
    png_read_end(r.png, r.info);  // up to IEND: a file cut behind the last row is damaged too
    png_get_eXIf_1(r.png, r.info, &r.exif_bytes, &r.exif);
}

/// Takes pixels of a palette or with alpha, as libpng handed them out, apart into colour and alpha.
/// Returns how many name a colour past the palette's end; these are black.
std::int64_t separate(const Reader& r, const std::vector<unsigned char>& pixels, Picture& picture) {
    const int colours = r.has_palette() || r.samples > 2 ? 3 : 1;
    picture.colour = Image(r.width, r.height, colours);
    if (!r.has_palette() || r.palette_alphas > 0) picture.alpha = Image(r.width, r.height, 1);
    auto* colour = picture.colour.data<std::uint8_t>();
    auto* alpha = picture.alpha.data<std::uint8_t>();
    std::int64_t past_the_end = 0;
    for (const unsigned char* pixel = pixels.data(); pixel != pixels.data() + pixels.size();
         pixel += r.samples) {
        std::uint8_t opacity = 255;
        if (!r.has_palette()) {
            colour = std::copy_n(pixel, colours, colour);
            opacity = pixel[colours];
        } else {
            const png_color entry = *pixel < r.palette_size ? r.palette[*pixel] : png_color{};
            past_the_end += *pixel >= r.palette_size;
            for (const auto value : {entry.red, entry.green, entry.blue}) *colour++ = value;
            if (*pixel < r.palette_alphas) opacity = r.palette_alpha[*pixel];
        }
        if (alpha != nullptr) *alpha++ = opacity;
    }
    return past_the_end;
}

/// The orientation of Exif data, 1 to 8; 1, upright, where they say none.
int orientation(const png_byte* exif, std::size_t bytes) {
    const bool little = bytes > 0 && exif[0] == 'I';
    const auto number = [&](std::size_t at, std::size_t count) {
        std::size_t value = 0;
        for (std::size_t i = 0; i < count && at + count <= bytes; ++i)
            value = value << 8 | exif[at + (little ? count - 1 - i : i)];
        return value;
    };
    constexpr std::size_t kField = 12, kOrientation = 0x0112;  // bytes; a tag
    const std::size_t table = number(4, 4), fields = number(table, 2);
    for (std::size_t i = 0; i < fields; ++i)
        if (const std::size_t at = table + 2 + i * kField; number(at, 2) == kOrientation)
            if (const std::size_t value = number(at + 8, 2); value >= 1 && value <= 8)
                return static_cast<int>(value);
    return 1;
}

/// Upright: the first row of the file is on the left from orientation 5 on.
Image turned(const Image& from, int orientation) {
    const auto is_one_of = [&](const char* digits) {
        return std::strchr(digits, '0' + orientation);
    };
    const bool is_swapped = orientation >= 5, from_right = is_one_of("2378"),
               from_below = is_one_of("3467");
    const std::int64_t w = from.width(), h = from.height();
    Image to(is_swapped ? h : w, is_swapped ? w : h, from.channels());
    auto* sample = to.data<std::uint8_t>();
    for (std::int64_t y = 0; y < to.height(); ++y)
        for (std::int64_t x = 0; x < to.width(); ++x) {
            const std::int64_t column = is_swapped ? y : x, row = is_swapped ? x : y;
            sample = std::copy_n(
                from.data<std::uint8_t>() + from.index(from_right ? w - 1 - column : column,
                                                       from_below ? h - 1 - row : row, 0),
                from.channels(), sample);
        }
    return to;
}

std::string note_of(const Reader& r, const Image& alpha, std::int64_t past_the_end) {
    std::string note;
    const auto pixels = [](std::int64_t count) {
        return " (" + std::to_string(count) + (count == 1 ? " pixel). " : " pixels). ");
    };
    const auto* first = alpha.empty() ? nullptr : alpha.data<std::uint8_t>();
    const std::int64_t transparent =
        std::count_if(first, first + alpha.samples(), [](std::uint8_t a) { return a < 255; });
    if (transparent > 0)
        note +=
            "The colours of transparent pixels are filtered as if they were visible, and reach "
            "their neighbours" +
            pixels(transparent);
    if (past_the_end > 0)
        note += "A colour past the end of the palette became black" + pixels(past_the_end);
    if (r.depth == 16) note += "16-bit samples were scaled to 8 bits. ";
    if (r.animated) note += "It is animated (APNG): only its first picture was read. ";
    if (r.warning[0] != 0)
        note += std::string("A fault was passed over (libpng: ") + r.warning + "). ";
    if (!note.empty()) note.pop_back();
    return note;
}

}  // namespace

Picture read_png(const std::string& path) try {
    Reader reader(path);
    read_signature(reader);
    reader.png = png_create_read_struct(PNG_LIBPNG_VER_STRING, &reader, on_error, on_warning);
    if (reader.png) reader.info = png_create_info_struct(reader.png);
    if (!reader.info) throw std::bad_alloc();
    guarded(reader, read_information);
    Picture picture;
    std::int64_t past_the_end = 0;
    if (reader.has_palette() || reader.samples % 2 == 0) {
        std::vector<unsigned char> pixels(std::size_t{reader.width} * reader.height *
                                          static_cast<std::size_t>(reader.samples));
        guarded(reader, read_rows, pixels.data());
        past_the_end = separate(reader, pixels, picture);
    } else {
        picture.colour = Image(reader.width, reader.height, reader.samples);
        guarded(reader, read_rows, picture.colour.data<std::uint8_t>());
    }
    picture.note = note_of(reader, picture.alpha, past_the_end);
    if (const int way = orientation(reader.exif, reader.exif_bytes); way > 1) {
        picture.colour = turned(picture.colour, way);
        if (!picture.alpha.empty()) picture.alpha = turned(picture.alpha, way);
        picture.note +=
            (picture.note.empty() ? "" : " ") +
            ("It was turned, as its Exif data say (orientation " + std::to_string(way)) + ").";
    }
    return picture;
} catch (const std::bad_alloc&) {
    throw Error("File '" + path + "' does not fit in the memory that is free: make it smaller.");
}

}  // namespace convolab
