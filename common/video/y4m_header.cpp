// Copyright (c) 2026 The Convolab authors
// SPDX-License-Identifier: MIT
#include <charconv>
#include <sstream>

#include "common/base/error.hpp"
#include "common/video/y4m.hpp"

namespace convolab {
namespace {

struct Chroma {
    const char* name;
    int x, y;  ///< pixels per chroma sample; 0: gray
};
/// The names that differ only in where a chroma sample lies within its pixels are one here.
constexpr Chroma kChroma[] = {{"420", 2, 2},      {"420jpeg", 2, 2}, {"420mpeg2", 2, 2},
                              {"420paldv", 2, 2}, {"422", 2, 1},     {"411", 4, 1},
                              {"444", 1, 1},      {"mono", 0, 0}};

class Parser {
  public:
    explicit Parser(const std::string& file) : file_(file) {}

    Y4mHeader parse(const std::string& line) {
        std::istringstream words(line);
        std::string word;
        if (!(words >> word) || word != "YUV4MPEG2")
            throw Error(file_ + " is not Y4M: it does not begin with YUV4MPEG2.");
        set_chroma("420");
        while (words >> word) set(word.front(), word.substr(1));
        require_frame_size(file_, header_.layout.width, header_.layout.height);
        return header_;
    }

  private:
    void set(char tag, const std::string& value) {
        if (tag == 'W') header_.layout.width = number(tag, value);
        if (tag == 'H') header_.layout.height = number(tag, value);
        if (tag == 'F') set_rate(value);
        if (tag == 'C') set_chroma(value);
        if (tag == 'X' && value == "COLORRANGE=FULL") header_.layout.is_full_range = true;
        if (tag == 'I' && value != "p" && value != "?")
            throw Error(file_ + " has interlaced frames, which are not read: convert it with " +
                        "`ffmpeg -i in.y4m -vf yadif out.y4m`.");
    }

    std::int64_t number(char tag, const std::string& text) const {
        std::int64_t value = 0;
        const char* end = text.data() + text.size();
        const auto [stop, error] = std::from_chars(text.data(), end, value);
        if (error != std::errc() || stop != end || value < 0 || value > 1'000'000'000)
            throw Error(file_ + " is damaged: its first line says " + tag + text + ".");
        return value;
    }

    void set_rate(const std::string& text) {
        const std::size_t colon = text.find(':');
        const FrameRate rate{number('F', text.substr(0, colon)),
                             colon == std::string::npos ? 1 : number('F', text.substr(colon + 1))};
        if (rate.numerator > 0 && rate.denominator > 0) header_.rate = rate;  // 0:0 is "unknown"
    }

    void set_chroma(const std::string& name) {
        for (const Chroma& chroma : kChroma) {
            if (name != chroma.name) continue;
            header_.layout.is_gray = chroma.x == 0;
            header_.layout.chroma_x = chroma.x == 0 ? 1 : chroma.x;
            header_.layout.chroma_y = chroma.y == 0 ? 1 : chroma.y;
            return;
        }
        throw Error(file_ + " has frames of the kind C" + name +
                    "; 8-bit frames without alpha are read: convert it with "
                    "`ffmpeg -i in.y4m -pix_fmt yuv444p out.y4m`.");
    }

    std::string file_;
    Y4mHeader header_;
};

}  // namespace

Y4mHeader parse_y4m_header(const std::string& file, const std::string& line) {
    return Parser(file).parse(line);
}

}  // namespace convolab
