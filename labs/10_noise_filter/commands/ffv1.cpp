// SPDX-License-Identifier: MIT
#include "labs/10_noise_filter/commands/ffv1.hpp"

#include <cerrno>
#include <cstdlib>
#include <system_error>

#include "common/base/error.hpp"
#include "common/video/ffmpeg.hpp"

namespace convolab::noise_filter {
namespace {

namespace fs = std::filesystem;

fs::path new_folder() {
    std::string name = (fs::temp_directory_path() / "convolab_ffv1_XXXXXX").string();
    if (::mkdtemp(name.data()) == nullptr)
        throw Error("Folder '" + name + "' cannot be made; name another with TMPDIR.");
    return name;
}

}  // namespace

Ffv1::Ffv1(const VideoFormat& format) : folder_(new_folder()) {
    auto command = words_of("ffmpeg -loglevel error -f rawvideo -pixel_format rgb24 -video_size " +
                            std::to_string(format.width) + "x" + std::to_string(format.height) +
                            " -i pipe:0 -c:v ffv1 -level 3 -pix_fmt bgr0");
    command.push_back((folder_ / "clip.mkv").string());
    try {
        child_ = std::make_unique<ChildProcess>(command, ChildProcess::Pipe::to_child);
    } catch (const std::system_error& error) {
        fs::remove_all(folder_);
        if (error.code().value() == ENOENT)
            throw Skipped("FFV1 needs the program ffmpeg, which is not installed.");
        throw Error("Program ffmpeg cannot be started: " + error.code().message() + ".");
    }
}

Ffv1::~Ffv1() {
    child_.reset();
    std::error_code ignored;
    fs::remove_all(folder_, ignored);
}

void Ffv1::write(const Image& frame) {
    if (!child_->write(frame.raw(), frame.bytes())) finish();
}

std::int64_t Ffv1::finish() {
    const int code = child_->finish();
    if (code != 0 || !child_->messages().empty())
        throw Error("FFV1 cannot be measured: " + ffmpeg_reason(child_->messages(), code) + ".");
    return static_cast<std::int64_t>(fs::file_size(folder_ / "clip.mkv"));
}

}  // namespace convolab::noise_filter
