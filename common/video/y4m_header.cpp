// Copyright (c) 2026 The Convolab authors
// SPDX-License-Identifier: MIT
#include <cctype>
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
        while (words >> word) set(word.front(), word.substr(1));
        set_chroma();
        if (interlacing_ != "p" && interlacing_ != "?")
            throw Error(file_ + " has interlaced frames (I" + interlacing_ +
                        "), which are not read" +
                        advice(interlacing_ == "t" || interlacing_ == "b" ? "-vf yadif" : ""));
        require_side('W', header_.layout.width);
        require_side('H', header_.layout.height);
        require_frame_size(file_, header_.layout.width, header_.layout.height);
        return header_;
    }

  private:
    void set(char tag, const std::string& value) {
        if (tag == 'W') header_.layout.width = number(tag, value);
        if (tag == 'H') header_.layout.height = number(tag, value);
        if (tag == 'F') set_rate(value);
        if (tag == 'I') interlacing_ = value;
        if (tag == 'C') chroma_ = "C" + value;
        // mjpegtools' older way to say it
        if (tag == 'X' && value.starts_with("YSCSS=") && !chroma_.starts_with('C'))
            chroma_ = "X" + value;
        if (tag == 'X' && value == "COLORRANGE=FULL") header_.layout.is_full_range = true;
    }

    std::int64_t number(char tag, const std::string& text) const {
        std::int64_t value = 0;
        const char* end = text.data() + text.size();
        const auto [stop, error] = std::from_chars(text.data(), end, value);
        if (error != std::errc() || stop != end || value < 0 || value > 1'000'000'000)
            throw Error(file_ + " is damaged: its first line says " + tag + text + ".");
        return value;
    }

    void require_side(char tag, std::int64_t pixels) const {
        if (pixels == 0)
            throw Error(file_ + " is damaged: its first line has no " + tag +
                        " with a number of pixels, such as " + tag + "480.");
    }

    void set_rate(const std::string& text) {
        const std::size_t colon = text.find(':');
        const FrameRate rate{number('F', text.substr(0, colon)),
                             colon == std::string::npos ? 1 : number('F', text.substr(colon + 1))};
        header_.has_rate = rate.numerator > 0 && rate.denominator > 0;  // 0:0 is "unknown"
        if (header_.has_rate) header_.rate = rate;
    }

    void set_chroma() {
        if (chroma_.empty()) chroma_ = "C420";
        std::string name = chroma_.substr(chroma_.starts_with('C') ? 1 : sizeof "XYSCSS");
        for (char& c : name) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
        for (const Chroma& chroma : kChroma) {
            if (name != chroma.name) continue;
            header_.layout.is_gray = chroma.x == 0;
            header_.layout.chroma_x = chroma.x == 0 ? 1 : chroma.x;
            header_.layout.chroma_y = chroma.y == 0 ? 1 : chroma.y;
            return;
        }
        bool known = false;
        for (const char* start : {"420", "422", "444", "mono"})
            known = known || name.starts_with(start);
        throw Error(file_ + " has frames of the kind " + chroma_ +
                    "; 8-bit frames without alpha are read" +
                    advice(known ? "-pix_fmt yuv444p" : ""));
    }

    /// ffmpeg's options for what it reads.
    static std::string advice(const std::string& options) {
        if (options.empty())
            return ", and ffmpeg does not read this either: make the clip again with C420jpeg and "
                   "Ip.";
        return ": convert it with `ffmpeg -i in.y4m " + options + " out.y4m`.";
    }

    std::string file_;
    std::string chroma_;             ///< the word that names it: "C422", "XYSCSS=422"
    std::string interlacing_ = "p";  ///< I's value
    Y4mHeader header_;
};

}  // namespace

Y4mHeader parse_y4m_header(const std::string& file, const std::string& line) {
    return Parser(file).parse(line);
}

}  // namespace convolab
