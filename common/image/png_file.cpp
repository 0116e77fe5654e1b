// Copyright (c) 2026 The Convolab authors
// SPDX-License-Identifier: MIT
#include "common/image/png_file.hpp"

#include <png.h>
#include <sys/stat.h>

#include <cerrno>
#include <cstring>
#include <string_view>

#include "common/base/error.hpp"
#include "common/image/png.hpp"

namespace convolab {
namespace {

using namespace std::string_view_literals;

/// Pictures of other kinds by their first bytes, and the command that makes a PNG of them.
struct Kind {
    std::size_t at;
    std::string_view magic;
    const char *name, *command;
};
constexpr Kind kKinds[] = {
    {0, "\xFF\xD8\xFF", "JPEG", "ffmpeg -i in.jpg -frames:v 1 out.png"},
    {0, "GIF8", "GIF", "ffmpeg -i in.gif -frames:v 1 out.png"},
    {0, "BM", "BMP", "ffmpeg -i in.bmp -frames:v 1 out.png"},
    {0, "II*\0"sv, "TIFF", "ffmpeg -i in.tif -frames:v 1 out.png"},
    {0, "MM\0*"sv, "TIFF", "ffmpeg -i in.tif -frames:v 1 out.png"},
    {8, "WEBP", "WebP", "ffmpeg -i in.webp -frames:v 1 out.png"},
    {4, "ftypavif", "AVIF", "ffmpeg -i in.avif -frames:v 1 out.png"},
    {4, "ftyphe", "HEIC", "heif-convert in.heic out.png"},
    {4, "ftypmif1", "HEIC", "heif-convert in.heic out.png"},
};

void require_png(const PngFile& r, const std::string& file) {
    const std::string_view head(reinterpret_cast<const char*>(r.head), r.head_size);
    for (const Kind& kind : kKinds)
        if (head.size() >= kind.at && head.substr(kind.at).starts_with(kind.magic))
            throw Error(file + "is " + kind.name + ", not PNG: convert it with `" + kind.command +
                        "`.");
    if (head.size() < 8 || png_sig_cmp(r.head, 0, 8) != 0)
        throw Error(file + "is not a PNG: name one, or convert a picture with `" +
                    kKinds[0].command + "`.");
}

}  // namespace

PngFile open_png(const std::string& path) {
    PngFile r;
    const std::string file = "File '" + path + "' ";
    struct stat status {};
    if (::stat(path.c_str(), &status) == 0 && S_ISDIR(status.st_mode))
        throw Error(file + "cannot be read: it is a folder; name a PNG file in it.");
    r.file.reset(std::fopen(path.c_str(), "rb"));
    if (!r.file)
        throw Error(file + "cannot be read: " + std::strerror(errno) +
                    (errno == ENOENT ? "; check the name." : "; check its permissions."));
    r.head_size = std::fread(r.head, 1, sizeof r.head, r.file.get());
    if (std::ferror(r.file.get()))
        throw Error(file + "cannot be read: " + std::strerror(errno) + ".");
    if (r.head_size == 0) throw Error(file + "is empty: export or download it again.");
    require_png(r, file);

    if (r.head_size < sizeof r.head || std::memcmp(r.head + 12, "IHDR", 4) != 0)
        return r;  // libpng says why
    const auto number = [&](int at) { return std::int64_t{png_get_uint_32(r.head + at)}; };
    const std::int64_t width = number(16), height = number(20);
    const int kind = r.head[25];
    // 4 samples per pixel where the colour is a palette's: it may bring alpha.
    const int samples = kind == PNG_COLOR_TYPE_GRAY ? 1 : kind == PNG_COLOR_TYPE_RGB ? 3 : 4;
    const std::string size = std::to_string(width) + "x" + std::to_string(height) + " pixels";
    if (width > kPngMaxSide || height > kPngMaxSide || width * height > kPngMaxSamples / samples)
        throw Error(file + "has " + size + ", over the limit of " + std::to_string(kPngMaxSide) +
                    " pixels per side and " + std::to_string(kPngMaxSamples) +
                    " samples in all: make it smaller first.");
    // deflate packs at most 1032 bytes into one: a larger claim is a trap for memory.
    const std::int64_t least_bits = width * height * r.head[24];
    if (S_ISREG(status.st_mode) && least_bits / 8 > 1032 * std::int64_t{status.st_size})
        throw Error(file + "is a damaged PNG (its " + std::to_string(status.st_size) +
                    " bytes cannot hold " + size + "): export or download it again.");
    return r;
}

}  // namespace convolab
