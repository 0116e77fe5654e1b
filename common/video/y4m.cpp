// Copyright (c) 2026 The Convolab authors
// SPDX-License-Identifier: MIT
//
// What ffmpeg does not do for Y4M.
#include <filesystem>
#include <fstream>

#include "common/base/error.hpp"
#include "common/video/clip_file.hpp"
#include "common/video/ffmpeg.hpp"

namespace convolab {

std::string first_line_of_standard_input() {
    const ClipReader reader("-", "a Y4M stream");
    constexpr std::size_t kLongestLine = 4096;  // bytes
    std::string line;
    char c = 0;
    while (line.size() < kLongestLine && reader.read(&c, 1) == 1 && c != '\n') line += c;
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
