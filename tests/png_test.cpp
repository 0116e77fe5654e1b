// SPDX-License-Identifier: MIT
#include "common/media/png.hpp"

#include <cstring>
#include <filesystem>

#include "common/base/error.hpp"
#include "tests/catch.hpp"
#include "tests/png_kit.hpp"

using namespace convolab;
using namespace convolab::test;
namespace fs = std::filesystem;

namespace {

std::string read_refusal(const std::string& path) {
    return refusal([&] { read_png(path); });
}

/// Whether the text is one sentence on one line that names the file.
bool is_a_sentence(const std::string& text, const std::string& path) {
    return text.find("'" + path + "'") != std::string::npos && text.back() == '.' &&
           text.find('\n') == std::string::npos;
}
bool contains(const std::string& text, const std::string& part) {
    return text.find(part) != std::string::npos;
}
Image numbered(std::int64_t width, std::int64_t height, int channels, Layout layout) {
    Image image(width, height, channels, PixelType::uint8, layout);
    for (std::int64_t i = 0; i < image.samples(); ++i)
        image.data<std::uint8_t>()[i] = static_cast<std::uint8_t>(i * 37 + i / 251 + 11);
    return image;
}

}  // namespace

TEST_CASE("png: what is written is read back, every kind of image") {
    const Folder folder;
    const std::string path = folder.file("a picture's name.png");
    for (const auto layout : {Layout::interleaved, Layout::planar})
        for (const int channels : {1, 3})
            for (const auto& [width, height] : {std::pair{1, 1}, {1, 7}, {97, 3}, {33, 17}}) {
                const Image colour = numbered(width, height, channels, layout);
                const Image expected = convert(colour, PixelType::uint8, Layout::interleaved);
                write_png(path, colour);
                Picture back = read_png(path);
                CHECK(same(back.colour, expected));
                CHECK(back.alpha.empty());
                CHECK(back.note.empty());
                const Image alpha = numbered(width, height, 1, layout);
                write_png(path, colour, alpha);
                back = read_png(path);
                CHECK(same(back.colour, expected));
                CHECK(same(back.alpha, convert(alpha, PixelType::uint8, Layout::interleaved)));
            }
    const Image rgba = numbered(5, 4, 4, Layout::planar);
    write_png(path, rgba);
    const Picture back = read_png(path);
    int wrong = 0;
    for (int i = 0; i < 20; ++i)
        for (int c = 0; c < 4; ++c) {
            const Image& part = c < 3 ? back.colour : back.alpha;
            wrong += rgba.value(i % 5, i / 5, c) != part.value(i % 5, i / 5, c % 3);
        }
    CHECK(wrong == 0);
    CHECK(folder.files() == 1);
}

TEST_CASE(
    "png: a picture that is compressed in several parts is read back; so is a single long row") {
    const Folder folder;
    const std::string path = folder.file("large.png");
    for (const auto& [width, height] : {std::pair{1900, 1100}, {65535, 9}, {3, 65535}})
        for (const int channels : {1, 3}) {
            const Image colour = numbered(width, height, channels, Layout::interleaved);
            write_png(path, colour);
            CHECK(same(read_png(path).colour, colour));
            const Image alpha = numbered(width, height, 1, Layout::interleaved);
            write_png(path, colour, alpha);
            const Picture back = read_png(path);
            CHECK(same(back.colour, colour));
            CHECK(same(back.alpha, alpha));
        }
    const std::string bytes = slurp(path);
    write_png(path, read_png(path).colour, read_png(path).alpha);
    CHECK(slurp(path) == bytes);
}

TEST_CASE("png: a picture is turned as its Exif data say, with its alpha") {
    const Folder folder;
    const std::string path = folder.file("turned.png");
    Image picture(3, 2, 1);
    std::memcpy(picture.raw(), "abcdef", 6);
    write_png(path, picture, picture);
    const std::string whole = slurp(path);
    const auto exif = [](char orientation, bool little) {
        const std::string zero(8, '\0');
        return little ? std::string("II*\0\x08\0\0\0\x01\0\x12\x01\x03\0\x01\0\0\0", 18) +
                            orientation + zero
                      : std::string("MM\0*\0\0\0\x08\0\x01\x01\x12\0\x03\0\0\0\x01\0", 19) +
                            orientation + zero;
    };
    const std::string expected[] = {"abcdef", "abcdef", "cbafed", "fedcba", "defabc",
                                    "adbecf", "daebfc", "fcebda", "cfbead", "abcdef"};
    constexpr std::size_t kAfterHeader = 33, kEnd = 12;
    for (char way = 0; way <= 9; ++way)
        for (const bool little : {false, true})
            for (const std::size_t at : {kAfterHeader, whole.size() - kEnd}) {
                INFO(int{way} << (little ? ", little" : ", big"));
                spill(path, std::string(whole).insert(at, chunk("eXIf", exif(way, little))));
                const Picture turned = read_png(path);
                CHECK(turned.colour.width() == (way >= 5 && way <= 8 ? 2 : 3));
                for (const Image* part : {&turned.colour, &turned.alpha})
                    CHECK(std::memcmp(part->raw(), expected[static_cast<int>(way)].data(), 6) == 0);
                CHECK(contains(turned.note, "turned") == (way >= 2 && way <= 8));
            }
    for (std::size_t size = 0; size < 26; ++size) {  // cut Exif data say nothing
        spill(path, std::string(whole).insert(kAfterHeader,
                                              chunk("eXIf", exif(6, true).substr(0, size))));
        CHECK(read_png(path).colour.width() == (size >= 20 ? 2 : 3));
    }
}

TEST_CASE("png: cut anywhere, or any byte changed: one error message, or the same picture") {
    const Folder folder;
    const std::string path = folder.file("broken.png");
    const Recipe keyed{
        .width = 6, .height = 5, .interlace = PNG_INTERLACE_ADAM7, .key = true, .text = 40};
    for (const Recipe& recipe : {keyed, palette_recipe(4, PNG_INTERLACE_NONE, 2)}) {
        const std::string whole = png_bytes(recipe);
        spill(path, whole);
        const Image colour = read_png(path).colour;
        int accepted = 0, wrong = 0, unclear = 0;
        const auto count = [&](const std::string& bytes) {
            spill(path, bytes);
            Picture picture;
            const std::string said = refusal([&] { picture = read_png(path); });
            if (!said.empty()) {
                unclear += !is_a_sentence(said, path);
                return;
            }
            ++accepted;
            wrong += !same(picture.colour, colour) || !contains(picture.note, "CRC error");
        };
        for (std::size_t size = 0; size < whole.size(); ++size) count(whole.substr(0, size));
        CHECK(accepted == 0);
        for (std::size_t at = 0; at < whole.size(); ++at)
            for (const int change : {0x01, 0x20, 0x80, 0xFF}) {
                std::string bytes = whole;
                bytes[at] = static_cast<char>(bytes[at] ^ change);
                count(bytes);
            }
        CHECK(accepted > 0);  // in chunks that the colours do not need
        CHECK(wrong == 0);
        CHECK(unclear == 0);
        spill(path, whole + "more");  // bytes after the end are not part of the picture
        CHECK_NOTHROW(read_png(path));
    }
}

TEST_CASE("png: malformed and excessive files with right checksums") {
    const Folder folder;
    const std::string path = folder.file("bad.png");
    const auto said = [&](const std::string& bytes) {
        spill(path, bytes);
        const std::string text = read_refusal(path);
        INFO(text);
        CHECK(is_a_sentence(text, path));
        return text;
    };
    CHECK(contains(said(""), "is not a PNG"));
    CHECK(contains(said("no picture"), "is not a PNG"));
    CHECK(contains(said(claim(65536, 1, 8, 0)), "65535 pixels per side"));
    CHECK(contains(said(claim(1, 0x7FFFFFFF, 8, 0)), "65535 pixels per side"));
    CHECK(contains(said(claim(30000, 30000, 8, 0)), "536870912 samples"));
    CHECK(contains(said(claim(16384, 8193, 8, 6)), "536870912 samples"));
    for (const auto& [depth, kind] : {std::pair{3, 0}, {8, 1}, {16, 3}, {8, 7}, {0, 2}, {32, 2}})
        CHECK(contains(said(claim(4, 4, static_cast<char>(depth), static_cast<char>(kind))),
                       "damaged"));
    said(claim(0xFFFFFFFF, 0xFFFFFFFF, 16, 6));
    said(claim(0, 4, 8, 0));
    said(claim(4, 4, 8, 0));  // too few pixels
    said(claim(4, 4, 8, 3));  // no palette

    // A chunk of an unknown kind is an error if it is marked as needed, and ignored otherwise.
    const std::string whole = png_bytes({});
    const auto with = [&](const std::string& extra) {
        return whole.substr(0, 33) + extra + whole.substr(33);
    };
    said(with(chunk("ABCD", "x")));
    for (const char* name : {"abCd", "iCCP", "gAMA", "zTXt", "sRGB", "fdAT"}) {
        spill(path, with(chunk(name, std::string(9'000'000, 'x'))));
        CHECK(read_png(path).note.empty());
    }
}

TEST_CASE("png: what libpng calls benign is read, with a note") {
    const Folder folder;
    const std::string path = folder.file("odd.png");
    const auto read = [&](const std::string& bytes) {
        spill(path, bytes);
        return read_png(path);
    };
    const Recipe gray{.kind = PNG_COLOR_TYPE_GRAY};
    const std::string whole = png_bytes(gray);
    const Image expected = read(whole).colour;
    const auto with = [&](const std::string& extra) {
        return whole.substr(0, 33) + extra + whole.substr(33);
    };

    // The rows and `more` in one uncompressed block, followed by `behind`.
    const auto surplus = [&](const std::string& more, const std::string& behind, bool apart) {
        std::string rows;
        for (int y = 0; y < gray.height; ++y) {
            rows += '\0';
            for (int x = 0; x < gray.width; ++x) rows += static_cast<char>(gray.sample(x, y, 0));
        }
        rows += more;
        const auto sum = ::adler32_z(1, reinterpret_cast<const Bytef*>(rows.data()), rows.size());
        const char size = static_cast<char>(rows.size());
        const std::string data = "\x78\x01\x01" +
                                 std::string{size, '\0', static_cast<char>(~size), '\xFF'} + rows +
                                 big_endian(static_cast<std::uint32_t>(sum));
        return whole.substr(0, 33) +
               (apart ? chunk("IDAT", data) + chunk("IDAT", behind)
                      : chunk("IDAT", data + behind)) +
               chunk("IEND", "");
    };
    for (const bool apart : {false, true})
        for (const std::string more : {"", "x", "one row", "one row, and another"})
            for (const std::string behind : {"", "x"}) {
                INFO(more << "; " << behind << (apart ? " apart" : ""));
                const Picture picture = read(surplus(more, behind, apart));
                CHECK(same(picture.colour, expected));
                const bool silent = more.empty() && (behind.empty() || apart);  // so is libpng
                CHECK(contains(picture.note, "IDAT") == !silent);
            }

    std::string wrong_sum = chunk("tEXt", "Author");
    wrong_sum.back() = static_cast<char>(wrong_sum.back() ^ 1);
    for (const auto& [name, extra] : {std::pair{"PLTE", chunk("PLTE", "abc")},
                                      {"tRNS", chunk("tRNS", "x")},
                                      {"tEXt: CRC error", wrong_sum},
                                      {"first picture", chunk("acTL", "12345678")}}) {
        const Picture picture = read(with(extra));
        INFO(picture.note);
        CHECK(same(picture.colour, expected));
        CHECK(contains(picture.note, name));
    }

    for (const int depth : {4, 8}) {
        Recipe past_the_end = palette_recipe(depth, PNG_INTERLACE_NONE, 0);
        past_the_end.palette.resize(3);
        past_the_end.index_limit = 9;
        const Picture picture = read(png_bytes(past_the_end));
        int black = 0;
        for (std::int64_t y = 0; y < picture.colour.height(); ++y)
            for (std::int64_t x = 0; x < picture.colour.width(); ++x) {
                const unsigned index = past_the_end.sample(x, y, 0);
                black += index >= 3;
                CHECK(picture.colour.value(x, y, 0) ==
                      (index < 3 ? past_the_end.palette[index].red : 0));
            }
        CHECK(black > 1);
        CHECK(contains(picture.note, "palette became black (" + std::to_string(black) + " pixels"));
        CHECK_FALSE(contains(picture.note, "libpng"));
    }
}

TEST_CASE("png: a picture of another kind gives an error with a command that converts it") {
    const Folder folder;
    const std::string path = folder.file("other.png");
    for (const char* bytes : {"\xFF\xD8\xFF\xE1 a JPEG", "GIF89a", "BM", "some text"}) {
        spill(path, bytes);
        const std::string text = read_refusal(path);
        INFO(text);
        CHECK(is_a_sentence(text, path));
        CHECK(contains(text, "is not a PNG"));
        CHECK(contains(text, "`ffmpeg -i '" + path + "' -frames:v 1 out.png`"));
    }
}

TEST_CASE("png: files that cannot be read") {
    const Folder folder;
    const std::string missing = folder.file("missing.png"), locked = folder.file("locked.png");
    CHECK(is_a_sentence(read_refusal(missing), missing));
    CHECK(is_a_sentence(read_refusal(folder.path.string()), folder.path.string()));
    CHECK(is_a_sentence(read_refusal("/dev/null"), "/dev/null"));
    write_png(locked, Image(2, 2, 1));
    fs::permissions(locked, fs::perms::none);
    if (::access(locked.c_str(), R_OK) != 0) CHECK(is_a_sentence(read_refusal(locked), locked));
}

TEST_CASE("png: what cannot be written leaves nothing behind and the old file whole") {
    const Folder folder;
    const auto said = [](const std::string& path) {
        return refusal([&] { write_png(path, Image(64, 64, 3)); });
    };
    for (const auto& path :
         std::vector<std::string>{folder.path.string(), folder.file(""),
                                  folder.file("no/such/folder.png"), "/dev/full", ""}) {
        INFO(path);
        CHECK(is_a_sentence(said(path), path));
    }
    CHECK(fs::is_character_file("/dev/full"));
    CHECK(folder.files() == 0);

    const std::string path = folder.file("kept.png"), link = folder.file("link.png");
    write_png(path, numbered(3, 3, 1, Layout::interleaved));
    const std::string before = slurp(path);
    CHECK(!refusal([&] { write_png(path, Image(2, 2, 1, PixelType::float32)); }).empty());
    CHECK(!refusal([&] { write_png(path, Image()); }).empty());
    CHECK(!refusal([&] { write_png(path, Image(2, 2, 3), Image(3, 2, 1)); }).empty());
    CHECK(!refusal([&] { write_png(path, Image(2, 2, 4), Image(2, 2, 1)); }).empty());
    CHECK(!refusal([&] { write_png(path, Image(65536, 1, 1)); }).empty());
    CHECK(slurp(path) == before);

    fs::create_symlink("kept.png", link);
    write_png(link, Image(9, 9, 1));
    CHECK(fs::is_symlink(link));
    CHECK(read_png(path).colour.width() == 9);
    CHECK(folder.files() == 2);

    if (::geteuid() == 0) return;  // root may write anywhere
    fs::permissions(folder.path, fs::perms::owner_read | fs::perms::owner_exec);
    CHECK(is_a_sentence(said(folder.file("new.png")), folder.file("new.png")));
    fs::permissions(folder.path, fs::perms::owner_all);
}
