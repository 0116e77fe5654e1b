// SPDX-License-Identifier: MIT
#include "common/media/ffmpeg.hpp"

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string_view>
#include <system_error>

#include "common/base/error.hpp"
#include "common/base/text.hpp"

namespace convolab {

bool is_jpeg(const std::string& path) {
    char start[3] = {};
    return std::ifstream(path, std::ios::binary).read(start, 3) &&
           std::string_view(start, 3) == "\xFF\xD8\xFF";
}

std::int64_t count_pictures(const std::string& folder) {
    std::int64_t count = 0;
    std::error_code error;
    for (const auto& entry : std::filesystem::directory_iterator(folder, error))
        if (const auto name = entry.path().filename(); name.string().front() != '.')
            count += file_ending(name) == ".png";
    return count;
}

std::unique_ptr<ChildProcess> start_program(const std::string& what,
                                            const std::vector<std::string>& command,
                                            ChildProcess::Pipe pipe) try {
    return std::make_unique<ChildProcess>(command, pipe);
} catch (const std::system_error& error) {
    if (error.code().value() == ENOENT)
        throw Skipped(what + " needs the program " + command.front() +
                      ", which is not installed: run `tools/setup.sh ffmpeg`.");
    throw Error(what + " needs the program " + command.front() +
                ", which cannot be started: " + error.code().message() + ".");
}

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

}  // namespace convolab
