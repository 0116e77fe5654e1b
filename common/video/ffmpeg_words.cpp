// SPDX-License-Identifier: MIT
#include <unistd.h>

#include <cstring>
#include <filesystem>
#include <fstream>
#include <regex>
#include <sstream>

#include "common/base/error.hpp"
#include "common/video/ffmpeg.hpp"

namespace convolab {

std::vector<std::string> words_of(const std::string& command) {
    std::istringstream words(command);
    std::vector<std::string> list;
    for (std::string word; words >> word;) list.push_back(word);
    return list;
}

/// Formats of more than 8 bits per sample say how their bytes are ordered: yuv420p10le, gray16be.
/// So do rgb565le and its like, whose samples have fewer.
static bool has_deep_samples(const std::string& pixel_format) {
    const bool says_order = pixel_format.ends_with("le") || pixel_format.ends_with("be");
    const std::string kind = pixel_format.substr(0, 4);
    return says_order && kind != "rgb5" && kind != "bgr5" && pixel_format != "rgb444le" &&
           pixel_format != "bgr444le";
}

std::string losses(const std::string& pixel_format, const std::string& field_order,
                   const std::string& sample_aspect_ratio) {
    static const std::regex alpha("yuva.*|rgba.*|bgra.*|argb.*|abgr.*|gbrap.*|ya8|ya16.*");
    static const std::regex fields("tt|bb|tb|bt"), shape("[1-9][0-9]*:[1-9][0-9]*");
    std::string all;
    if (has_deep_samples(pixel_format))
        all += " Samples of more than 8 bits (" + pixel_format + ") were read as 8 bits.";
    if (std::regex_match(pixel_format, alpha)) all += " The clip's alpha is lost.";
    if (std::regex_match(field_order, fields))
        all += " The clip is interlaced: the two fields of a frame are filtered as one picture.";
    if (std::regex_match(sample_aspect_ratio, shape) && sample_aspect_ratio != "1:1")
        all += " The clip's pixels are not square (" + sample_aspect_ratio +
               "); those of the output are.";
    return all.empty() ? "" : all.substr(1);
}

bool lacks_rate(const std::string& y4m_file, std::string first_line) {
    if (!y4m_file.empty()) {
        std::ifstream file(y4m_file);
        std::getline(file, first_line);
    }
    static const std::regex rate(" F[0-9]*[1-9][0-9]*:[0-9]*[1-9]");
    return !first_line.empty() && !std::regex_search(first_line, rate);
}

std::string ffmpeg_reason(const std::string& messages, int exit_code) {
    std::string line = messages.substr(0, messages.find('\n'));
    // "[mov,mp4 @ 0x55b1dd079540] moov atom not found"
    const std::size_t bracket = line.find("] ");
    if (!line.empty() && line.front() == '[' && bracket != std::string::npos)
        line.erase(0, bracket + 2);
    if (const std::size_t prefix = line.find("file:"); prefix != std::string::npos)
        line.erase(prefix, 5);
    if (!line.empty()) return "ffmpeg says '" + line + "'";
    if (exit_code > 128)
        return "ffmpeg was ended by a signal (" + std::string(::strsignal(exit_code - 128)) + ")";
    return "ffmpeg ended with exit code " + std::to_string(exit_code);
}

std::string ffmpeg_is_missing(const std::string& what, const std::string& program) {
    return what + " needs the program " + program +
           ", which is not installed: run `tools/setup.sh ffmpeg`, or use a folder of PNG "
           "files.";
}

std::string first_line_of_standard_input() {
    if (::isatty(STDIN_FILENO) == 1)
        throw UsageError("Standard input is a terminal: send it a Y4M stream through a pipe.");
    constexpr std::size_t kLongestLine = 4096;  // bytes
    std::string line;
    char c = 0;
    while (line.size() < kLongestLine && ::read(STDIN_FILENO, &c, 1) == 1 && c != '\n') line += c;
    if (!line.starts_with("YUV4MPEG2 ") || c != '\n')
        throw Error("Standard input is not Y4M: it does not begin with a line YUV4MPEG2.");
    return line;
}

void require_whole_frames(const std::string& path, std::int64_t frame_bytes) {
    std::ifstream file(path, std::ios::binary);
    const auto size = static_cast<std::int64_t>(std::filesystem::file_size(path));
    std::string line;
    std::getline(file, line);
    for (std::int64_t frame = 1; file.peek() != EOF; ++frame) {
        std::getline(file, line);
        file.seekg(frame_bytes, std::ios::cur);
        if (!line.starts_with("FRAME") || file.tellg() > size)
            throw Error("File '" + path + "' is cut: it ends within frame " +
                        std::to_string(frame) + "; the frames before it are whole.");
    }
}

}  // namespace convolab
