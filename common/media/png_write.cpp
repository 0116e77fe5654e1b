// SPDX-License-Identifier: MIT
// Writing: most of the time goes into deflate, so the picture is cut into strips of rows that the
// CPUs compress at the same time. A deflate stream may be cut where a block ends at a whole byte
// (Z_SYNC_FLUSH), and Adler-32 sums can be combined; each strip is a chunk IDAT of the file.
#include <zlib.h>

#include <algorithm>
#include <atomic>
#include <future>
#include <memory>
#include <new>
#include <string>
#include <utility>
#include <vector>

#include "common/base/atomic_file.hpp"
#include "common/base/error.hpp"
#include "common/media/png.hpp"
#include "common/threads/cpus.hpp"

namespace convolab {
namespace {

/// Of a strip, before it is compressed: large enough that the cuts cost few bytes.
constexpr std::int64_t kStripBytes = 1 << 20;
/// Less work than libpng's choice, for larger files: a low level, and one filter for all rows.
constexpr int kLevel = 2;
constexpr unsigned char kSub = 1;  ///< PNG's filter: each sample minus the one of the pixel before

/// The picture to be written: interleaved colour, and alpha or null.
struct Source {
    std::int64_t width, height;
    int channels;
    const std::uint8_t* colour;
    const std::uint8_t* alpha;

    int samples() const { return channels + (alpha != nullptr ? 1 : 0); }
    std::int64_t row_bytes() const { return 1 + width * samples(); }
    std::int64_t rows_per_strip() const {
        return std::clamp<std::int64_t>(kStripBytes / row_bytes(), 1, height);
    }
    std::int64_t strips() const { return (height + rows_per_strip() - 1) / rows_per_strip(); }
};

struct Strip {
    std::string bytes;  ///< compressed
    z_off_t size;       ///< before
    uLong adler;
};

void append_filtered_row(const Source& source, std::int64_t y, std::vector<unsigned char>& to) {
    const std::uint8_t* colour = source.colour + y * source.width * source.channels;
    const int samples = source.samples();
    to.push_back(kSub);
    const std::size_t first = to.size();
    if (source.alpha == nullptr) {
        to.insert(to.end(), colour, colour + source.width * samples);
    } else {
        const std::uint8_t* alpha = source.alpha + y * source.width;
        for (std::int64_t x = 0; x < source.width; ++x, colour += source.channels) {
            to.insert(to.end(), colour, colour + source.channels);
            to.push_back(alpha[x]);
        }
    }
    unsigned char* row = to.data() + first;
    for (std::int64_t i = source.width * samples - 1; i >= samples; --i)
        row[i] = static_cast<unsigned char>(row[i] - row[i - samples]);
}

Strip compress(const Source& source, std::int64_t number) {
    const std::int64_t first = number * source.rows_per_strip();
    const std::int64_t end = std::min(source.height, first + source.rows_per_strip());
    std::vector<unsigned char> rows;
    rows.reserve(static_cast<std::size_t>((end - first) * source.row_bytes()));
    for (std::int64_t y = first; y < end; ++y) append_filtered_row(source, y, rows);

    z_stream deflater{};
    constexpr int kWithoutHead = -15, kDefaultMemory = 8;
    if (deflateInit2(&deflater, kLevel, Z_DEFLATED, kWithoutHead, kDefaultMemory, Z_FILTERED) !=
        Z_OK)
        throw std::bad_alloc();
    const std::unique_ptr<z_stream, int (*)(z_stream*)> owner(&deflater, deflateEnd);
    constexpr uLong kFlush = 16;  // the end of a strip, beyond zlib's bound for a whole stream
    std::string bytes(deflateBound(&deflater, rows.size()) + kFlush, '\0');
    deflater.next_in = rows.data();
    deflater.avail_in = static_cast<uInt>(rows.size());
    deflater.next_out = reinterpret_cast<unsigned char*>(bytes.data());
    deflater.avail_out = static_cast<uInt>(bytes.size());
    deflate(&deflater, end == source.height ? Z_FINISH : Z_SYNC_FLUSH);
    if (deflater.avail_in != 0 || deflater.avail_out == 0)
        throw Error("zlib needs more bytes than it announced; install another version of zlib.");
    bytes.resize(deflater.total_out);
    return {std::move(bytes), static_cast<z_off_t>(rows.size()),
            adler32_z(1, rows.data(), rows.size())};
}

std::vector<Strip> compress_all(const Source& source) {
    std::vector<Strip> strips(static_cast<std::size_t>(source.strips()));
    std::atomic<std::size_t> next{0};
    const auto work = [&] {
        for (std::size_t i = next++; i < strips.size(); i = next++)
            strips[i] = compress(source, static_cast<std::int64_t>(i));
    };
    const std::size_t cpus = static_cast<std::size_t>(cpu_count());
    std::vector<std::future<void>> others;
    for (std::size_t i = 1; i < std::min(cpus, strips.size()); ++i)
        others.push_back(std::async(std::launch::async, work));
    work();
    for (auto& other : others) other.get();
    return strips;
}

std::string big_endian(std::uint32_t number) {
    std::string bytes;
    for (int shift = 24; shift >= 0; shift -= 8) bytes += static_cast<char>(number >> shift & 255);
    return bytes;
}

void append_chunk(std::string& file, std::string name_and_body) {
    const auto* bytes = reinterpret_cast<const unsigned char*>(name_and_body.data());
    const uLong sum = crc32_z(0, bytes, name_and_body.size());
    file += big_endian(static_cast<std::uint32_t>(name_and_body.size() - 4)) + name_and_body;
    file += big_endian(static_cast<std::uint32_t>(sum));
}

std::string png_of(const Source& source) {
    constexpr char kGray = 0, kRgb = 2, kGrayAlpha = 4, kRgba = 6;
    constexpr char kKinds[] = {kGray, kGrayAlpha, kRgb, kRgba};
    const std::string depth_and_kind = {8, kKinds[source.samples() - 1], 0, 0, 0};
    std::string file = "\x89PNG\r\n\x1a\n";
    append_chunk(file, "IHDR" + big_endian(static_cast<std::uint32_t>(source.width)) +
                           big_endian(static_cast<std::uint32_t>(source.height)) + depth_and_kind);
    std::string head = "\x78\x5e";  // zlib's: deflate with a window of 32 KiB, compressed fast
    uLong adler = 1;
    std::vector<Strip> strips = compress_all(source);
    for (Strip& strip : strips) {
        adler = adler32_combine(adler, strip.adler, strip.size);
        const bool is_last = &strip == &strips.back();
        append_chunk(file, "IDAT" + std::exchange(head, "") + strip.bytes +
                               (is_last ? big_endian(static_cast<std::uint32_t>(adler)) : ""));
        strip.bytes = {};
    }
    append_chunk(file, "IEND");
    return file;
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
    const std::string bytes = png_of({colour.width(), colour.height(), colour.channels(),
                                      (ready ? colour : interleaved).data<std::uint8_t>(),
                                      alpha.empty() ? nullptr : alpha.data<std::uint8_t>()});
    write_whole_file(path, bytes.data(), bytes.size());
} catch (const std::bad_alloc&) {
    throw Error("File '" + path + "' cannot be written: not enough memory is free.");
}

}  // namespace convolab
