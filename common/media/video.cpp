// SPDX-License-Identifier: MIT
#include "common/media/video.hpp"

#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>

#include "common/base/error.hpp"
#include "common/base/text.hpp"
#include "common/image/sizes.hpp"
#include "common/media/ffmpeg.hpp"
#include "common/media/png.hpp"
#include "common/media/synthetic.hpp"

namespace convolab {
namespace fs = std::filesystem;

std::unique_ptr<FrameSource> open_source(const std::string& name,
                                         const SyntheticSettings& settings) {
    if (name.empty())
        throw UsageError(
            "The video has no name: give a file, a folder of PNG files, a camera such as 0, or one "
            "of moving, panning, static, black.");
    if (const auto kind = synthetic_kind(name)) return make_synthetic_source(*kind, settings);
    return open_ffmpeg_source(name);
}

std::unique_ptr<FrameSource> open_clip(const std::string& name, std::optional<int> length) {
    SyntheticSettings settings;
    if (length) settings.frames = *length;
    const std::size_t colon = name.find(':');
    const std::string kind = name.substr(0, colon);
    if (colon == std::string::npos || !synthetic_kind(kind)) return open_source(name, settings);
    const Size size = parse_size(name.substr(colon + 1));
    settings.width = size.width;
    settings.height = size.height;
    return open_source(kind, settings);
}

std::unique_ptr<FrameSink> open_sink(const std::string& name, const VideoFormat& format) {
    if (name.empty())
        throw UsageError("The output has no name: give a video file such as out.mp4, or a folder.");
    require_frame_size("The output '" + name + "'", format.width, format.height);
    std::error_code error;
    const bool is_folder = fs::is_directory(name, error) || name.back() == '/';
    const std::string ending = file_ending(name);
    if (!is_folder && (ending.empty() || ending == ".png"))
        throw UsageError("The output '" + name +
                         "' is not the name of a video: end it in .mp4 or .y4m, or in / for a "
                         "folder of PNG files.");
    return open_ffmpeg_sink(name, format);
}

void require_writable(const std::string& path) {
    const std::string folder = fs::path(path).parent_path().string();
    const bool exists = ::access(path.c_str(), F_OK) == 0;
    if (::access(exists ? path.c_str() : folder.empty() ? "." : folder.c_str(), W_OK) != 0)
        throw Error("File '" + path + "' cannot be written: " + std::strerror(errno) +
                    "; name a file in a folder that you may write to.");
}

bool is_same_file(const std::string& source, const std::string& sink) {
    std::error_code error;
    return fs::equivalent(source, sink, error) && !error;
}

void require_frame_size(const std::string& what, std::int64_t width, std::int64_t height) {
    if (width < 1 || height < 1 || width > kPngMaxSide || height > kPngMaxSide ||
        width * height > kPngMaxSamples / 3)
        throw Error(what + " has frames of " + std::to_string(width) + "x" +
                    std::to_string(height) + " pixels, outside of the limits of 1 to " +
                    std::to_string(kPngMaxSide) + " pixels per side and " +
                    std::to_string(kPngMaxSamples) + " samples in all.");
}

void FrameSource::fit(Image& frame) const {
    if (frame.width() != format_.width || frame.height() != format_.height ||
        frame.channels() != 3 || frame.type() != PixelType::uint8 ||
        frame.layout() != Layout::interleaved)
        frame = Image(format_.width, format_.height, 3);
}

}  // namespace convolab
