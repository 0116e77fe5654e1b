// SPDX-License-Identifier: MIT
#include <cerrno>
#include <charconv>
#include <filesystem>
#include <map>
#include <optional>
#include <sstream>
#include <system_error>

#include "common/base/error.hpp"
#include "common/base/text.hpp"
#include "common/video/child_process.hpp"
#include "common/video/ffmpeg.hpp"

namespace convolab {
namespace {

/// What is read, and ffmpeg's arguments for it.
struct Input {
    std::string what;                    ///< how errors begin: "File 'a.mp4'"
    std::vector<std::string> arguments;  ///< for ffmpeg and ffprobe
    std::string y4m = {};                ///< the file's path if it is Y4M
    std::string first_line = {};         ///< of standard input, if that is read

    bool is_standard_input() const { return !first_line.empty(); }
};

/// Starts a program behind the first line of standard input, which was read, and the rest of it.
constexpr char kBehindFirstLine[] = "{ printf '%s\\n' \"$0\"; cat; } | exec \"$@\"";
constexpr int kNotFound = 127;  // exit code of sh

/// Starts `program` (with its first options) on the input, with further options behind it.
std::unique_ptr<ChildProcess> start(const Input& input, const std::string& program,
                                    const std::string& options,
                                    ChildProcess::Other other = ChildProcess::Other::nothing) {
    std::vector<std::string> command = words_of(program);
    const std::string name = command.front();
    if (input.is_standard_input())
        command.insert(command.begin(), {"sh", "-c", kBehindFirstLine, input.first_line});
    command.insert(command.end(), input.arguments.begin(), input.arguments.end());
    for (auto& word : words_of(options)) command.push_back(std::move(word));
    try {
        return std::make_unique<ChildProcess>(command, ChildProcess::Pipe::from_child, other);
    } catch (const std::system_error& error) {
        if (error.code().value() == ENOENT) throw Error(ffmpeg_is_missing(input.what, name));
        throw Error(input.what + " cannot be read: program " + name +
                    " cannot be started: " + error.code().message() + ".");
    }
}

std::optional<std::int64_t> number(const std::string& text) {
    std::int64_t value = 0;
    const char* end = text.data() + text.size();
    const auto [stop, error] = std::from_chars(text.data(), end, value);
    if (error != std::errc() || stop != end) return {};
    return value;
}

/// "30000/1001"; nothing for "0/0", which is how ffprobe says that it does not know.
std::optional<FrameRate> rate(const std::string& text) {
    const std::size_t slash = text.find('/');
    if (slash == std::string::npos) return {};
    const auto n = number(text.substr(0, slash)), d = number(text.substr(slash + 1));
    if (!n || !d || *n <= 0 || *d <= 0) return {};
    return FrameRate{*n, *d};
}

struct Probed {
    VideoFormat format;  ///< the size as it is shown: a phone's clip may be turned by 90 degrees
    std::string losses;
    std::int64_t frame_bytes;  ///< of a Y4M file
};

Probed probe(const Input& input) {
    const auto child =
        start(input, "ffprobe -loglevel error",
              "-select_streams V:0 -of default=noprint_wrappers=1 -show_entries "
              "stream=width,height,pix_fmt,field_order,sample_aspect_ratio,avg_frame_rate,"
              "r_frame_rate:stream_side_data=rotation" +
                  std::string(input.y4m.empty() ? "" : ":packet=size -read_intervals %+#1"));
    std::string answer(4096, '\0');
    answer.resize(child->read(answer.data(), answer.size()));
    const int code = child->finish();
    if (code == kNotFound && input.is_standard_input())
        throw Error(ffmpeg_is_missing(input.what, "ffprobe"));
    if (code != 0)
        throw Error(input.what +
                    " cannot be read as a video: " + ffmpeg_reason(child->messages(), code) + ".");
    std::map<std::string, std::string> fields;
    std::istringstream lines(answer);
    for (std::string line; std::getline(lines, line);)
        if (const std::size_t equals = line.find('='); equals != std::string::npos)
            fields.try_emplace(line.substr(0, equals), line.substr(equals + 1));

    VideoFormat format;
    format.width = number(fields["width"]).value_or(0);
    format.height = number(fields["height"]).value_or(0);
    if (format.width == 0 || format.height == 0) throw Error(input.what + " contains no video.");
    if (number(fields["rotation"]).value_or(0) % 180 != 0) std::swap(format.width, format.height);
    if (const auto average = rate(fields["avg_frame_rate"]))
        format.rate = *average;
    else if (const auto base = rate(fields["r_frame_rate"]))
        format.rate = *base;
    require_frame_size(input.what, format.width, format.height);
    return {format, losses(fields["pix_fmt"], fields["field_order"], fields["sample_aspect_ratio"]),
            number(fields["size"]).value_or(0)};
}

class FfmpegSource final : public FrameSource {
  public:
    explicit FfmpegSource(const Input& input) : what_(input.what), y4m_(input.y4m) {
        const Probed probed = probe(input);
        format_ = probed.format;
        frame_bytes_ = probed.frame_bytes;
        note_ = probed.losses;
        if (lacks_rate(y4m_, input.first_line))
            note_ += std::string(note_.empty() ? "" : " ") +
                     "The clip gives no frame rate: 25 frames per second are assumed.";
        // The crop changes nothing, but fails for frames of another size, which would be scaled.
        // setpts gives each frame 1000 s, since some clips have wrong time stamps or none; raw
        // frames have none.
        child_ = start(
            input, "ffmpeg -loglevel error -nostdin",
            "-map 0:V:0 -fps_mode passthrough -f rawvideo -vf format=rgb24,crop=w='if(eq(iw," +
                std::to_string(format_.width) + ")*eq(ih," + std::to_string(format_.height) +
                "),iw,-1)':h=ih:x=0:y=0,setpts=1000*N/TB -",
            input.is_standard_input() ? ChildProcess::Other::ours : ChildProcess::Other::nothing);
    }

    bool next(Image& frame) override {
        fit(frame);
        const std::size_t bytes = child_->read(frame.raw(), frame.bytes());
        if (bytes == frame.bytes()) {
            ++frames_;
            return true;
        }
        const int code = child_->finish();
        if (code == 0 && child_->messages().empty() && bytes == 0 && frames_ > 0) {
            if (!y4m_.empty()) require_whole_frames(y4m_, frame_bytes_);
            return false;
        }
        const std::string read = "; " + std::to_string(frames_) + " frames were read.";
        if (code == 0 && child_->messages().empty() && frames_ == 0 && bytes == 0)
            throw Error(what_ + " contains no frames.");
        if (child_->messages().find("non positive size for width '-1'") != std::string::npos)
            throw Error(what_ + " changes the size of its frames from " +
                        std::to_string(format_.width) + "x" + std::to_string(format_.height) +
                        " pixels to another" + read);
        throw Error(what_ + " is damaged, cut or cannot be decoded: " +
                    ffmpeg_reason(child_->messages(), code) + read);
    }

    std::string note() const override { return note_; }

  private:
    std::string what_, y4m_, note_;
    std::int64_t frame_bytes_ = 0;  ///< of a Y4M file
    std::unique_ptr<ChildProcess> child_;
    std::int64_t frames_ = 0;  ///< read so far
};

}  // namespace

std::unique_ptr<FrameSource> open_ffmpeg_source(const std::string& name) {
    if (name.find("://") != std::string::npos)
        return std::make_unique<FfmpegSource>(Input{"Stream '" + name + "'", {"-i", name}});
    std::error_code error;
    const auto status = std::filesystem::status(name, error);
    if (!std::filesystem::exists(status))
        throw Error("File '" + name + "' cannot be read: " +
                    (error ? error.message() : "No such file") + "; check the name.");
    // "file:" so that a colon or a dash in the name is part of the name.
    return std::make_unique<FfmpegSource>(Input{
        "File '" + name + "'", {"-i", "file:" + name}, file_ending(name) == ".y4m" ? name : ""});
}

std::unique_ptr<FrameSource> open_standard_input() {
    return std::make_unique<FfmpegSource>(Input{"Standard input",
                                                {"-f", "yuv4mpegpipe", "-i", "pipe:0"},
                                                "",
                                                first_line_of_standard_input()});
}

std::unique_ptr<FrameSource> open_camera(const std::string& device) {
    std::error_code error;
    if (!std::filesystem::exists(device, error))
        throw Error("Camera '" + device +
                    "' is not there: connect one, or name a video file or the synthetic scene.");
    return std::make_unique<FfmpegSource>(
        Input{"Camera '" + device + "'", {"-f", "v4l2", "-i", device}});
}

}  // namespace convolab
