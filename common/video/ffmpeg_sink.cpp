// SPDX-License-Identifier: MIT
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <system_error>

#include "common/base/error.hpp"
#include "common/base/text.hpp"
#include "common/video/child_process.hpp"
#include "common/video/ffmpeg.hpp"

namespace convolab {
namespace {

namespace fs = std::filesystem;

/// Fast rather than small: with two CPUs, 1080p at its own rate leaves time for the lab.
constexpr char kPreset[] = "ultrafast";
constexpr char kQuality[] = "18";  ///< x264's rate factor; 18 shows no loss to the eye

bool is_h264(const fs::path& path) {
    const std::string ending = file_ending(path);
    return ending == ".mp4" || ending == ".m4v" || ending == ".mov" || ending == ".mkv";
}

bool is_even(const VideoFormat& format) { return format.width % 2 == 0 && format.height % 2 == 0; }

/// H.264 as all players show it, except where the sides are odd.
std::string h264(const fs::path& path, const VideoFormat& format) {
    const std::int64_t two_seconds =
        std::max<std::int64_t>(2 * format.rate.numerator / format.rate.denominator, 1);
    return std::string(" -c:v libx264 -preset ") + kPreset + " -crf " + kQuality + " -g " +
           std::to_string(two_seconds) +
           " -vf scale=out_color_matrix=bt709:out_range=tv -colorspace bt709"
           " -color_primaries bt709 -color_trc bt709 -pix_fmt " +
           (is_even(format) ? "yuv420p" : "yuv444p") +
           (file_ending(path) == ".mkv" ? ""
                                        : " -movflags +frag_keyframe+empty_moov+default_base_moof");
}

/// VP9, fast. What is encoded goes to the file twice a second: a cut file is readable up to there.
constexpr char kWebm[] =
    " -c:v libvpx-vp9 -deadline realtime -cpu-used 8 -row-mt 1 -crf 24 -b:v 0 -flush_packets 1"
    " -cluster_time_limit 500";

constexpr char kY4m[] =
    " -f yuv4mpegpipe -pix_fmt yuv444p"
    " -vf scale=out_color_matrix=bt601:out_range=tv:flags=accurate_rnd+full_chroma_int";

/// What the ending asks for; other endings have ffmpeg's own codecs.
std::string encoder(const fs::path& path, const VideoFormat& format) {
    if (is_h264(path)) return h264(path, format);
    if (path == "-" || file_ending(path) == ".y4m") return kY4m;
    return file_ending(path) == ".webm" ? kWebm : "";
}

std::vector<std::string> command(const std::string& path, const VideoFormat& format) {
    auto words =
        words_of("ffmpeg -loglevel error -y -f rawvideo -pixel_format rgb24 -video_size " +
                 std::to_string(format.width) + "x" + std::to_string(format.height) +
                 " -framerate " + std::to_string(format.rate.numerator) + "/" +
                 std::to_string(format.rate.denominator) + " -i pipe:0" + encoder(path, format));
    words.push_back(path == "-" ? "pipe:1" : "file:" + path);
    return words;
}

class FfmpegSink final : public FrameSink {
  public:
    FfmpegSink(const std::string& path, const VideoFormat& format)
        : path_(path),
          name_(path == "-" ? "Standard output" : "File '" + path + "'"),
          format_(format) {}

    void write(const Image& frame) override {
        require_frame(path_, format_, frame);
        if (!child_) start();
        if (!child_->write(frame.raw(), frame.bytes())) fail();
        ++frames_;
    }

    void finish() override {
        if (child_ && (child_->finish() != 0 || !child_->messages().empty())) fail();
    }

    std::string note() const override {
        if (is_even(format_) || !is_h264(path_)) return "";
        return "Sides of an odd number of pixels need 4:4:4 colour, which some players do not "
               "show.";
    }

  private:
    void start() try {
        child_ = std::make_unique<ChildProcess>(
            command(path_, format_), ChildProcess::Pipe::to_child,
            path_ == "-" ? ChildProcess::Other::ours : ChildProcess::Other::nothing);
    } catch (const std::system_error& error) {
        if (error.code().value() == ENOENT) throw Error(ffmpeg_is_missing(name_, "ffmpeg"));
        throw Error(name_ + " cannot be written: program ffmpeg cannot be started: " +
                    error.code().message() + ".");
    }
    [[noreturn]] void fail() {
        const int code = child_->finish();
        throw Error(name_ + " cannot be written: " + ffmpeg_reason(child_->messages(), code) +
                    "; it was given " + std::to_string(frames_) + " frames before.");
    }

    std::string path_, name_;
    VideoFormat format_;
    std::unique_ptr<ChildProcess> child_;  ///< from the first frame on
    std::int64_t frames_ = 0;              ///< given to ffmpeg
};

}  // namespace

std::unique_ptr<FrameSink> open_ffmpeg_sink(const std::string& path, const VideoFormat& format) {
    if (path == "-" && ::isatty(STDOUT_FILENO) == 1)
        throw UsageError("Standard output is a terminal: send the Y4M stream to a pipe or a file.");
    if (path != "-") require_writable(path);
    return std::make_unique<FfmpegSink>(path, format);
}

}  // namespace convolab
