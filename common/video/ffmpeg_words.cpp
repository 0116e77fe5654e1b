// Copyright (c) 2026 The Convolab authors
// SPDX-License-Identifier: MIT
#include <cstring>
#include <sstream>

#include "common/video/ffmpeg.hpp"

namespace convolab {

std::vector<std::string> words_of(const std::string& command) {
    std::istringstream words(command);
    std::vector<std::string> list;
    for (std::string word; words >> word;) list.push_back(word);
    return list;
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

}  // namespace convolab
