// SPDX-License-Identifier: MIT
#include <algorithm>
#include <filesystem>

#include "common/base/error.hpp"
#include "common/base/text.hpp"
#include "common/media/ffmpeg.hpp"

namespace convolab {
namespace {

namespace fs = std::filesystem;

/// Fast rather than small: with two CPUs, 1080p at its own rate leaves time for the lab.
constexpr char kPreset[] = "ultrafast";
constexpr char kQuality[] = "18";  ///< x264's rate factor; 18 shows no loss to the eye

/// H.264 as all players show it, except where the sides are odd.
std::string h264(const std::string& ending, const VideoFormat& format) {
    const std::int64_t two_seconds =
        std::max<std::int64_t>(2 * format.rate.numerator / format.rate.denominator, 1);
    const bool is_even = format.width % 2 == 0 && format.height % 2 == 0;
    return std::string("-c:v libx264 -preset ") + kPreset + " -crf " + kQuality + " -g " +
           std::to_string(two_seconds) +
           " -vf scale=out_color_matrix=bt709:out_range=tv -colorspace bt709"
           " -color_primaries bt709 -color_trc bt709 -pix_fmt " +
           (is_even ? "yuv420p" : "yuv444p") +
           (ending == ".mkv" ? "" : " -movflags +frag_keyframe+empty_moov+default_base_moof");
}

/// Where the file does not say it.
std::string matrix(const VideoFormat& format) {
    std::string words = " -vf scale=out_color_matrix=";
    return words += usual_matrix(format.height);
}

/// VP9, fast. What is encoded goes to the file twice a second: a cut file is readable up to there.
constexpr char kWebm[] =
    "-c:v libvpx-vp9 -deadline realtime -cpu-used 8 -row-mt 1 -crf 24 -b:v 0 -flush_packets 1"
    " -cluster_time_limit 500";

constexpr char kY4m[] = "-f yuv4mpegpipe -pix_fmt yuv444p";
constexpr char kExact[] = ":out_range=tv:flags=accurate_rnd+full_chroma_int";

/// Each file is whole or absent.
constexpr char kPictures[] = "-f image2 -atomic_writing 1";

/// What the ending asks for; other endings have ffmpeg's own codecs.
std::string encoder(const std::string& ending, const VideoFormat& format) {
    if (ending == ".mp4" || ending == ".m4v" || ending == ".mov" || ending == ".mkv")
        return h264(ending, format);
    if (ending == ".y4m") return kY4m + matrix(format) + kExact;
    if (ending == ".mjpeg" || ending == ".mjpg") return "";  // JPEG has one matrix
    return (ending == ".webm" ? kWebm : "") + matrix(format);
}

class FfmpegSink final : public FrameSink {
  public:
    FfmpegSink(const std::string& what, const std::string& options, const std::string& path,
               const VideoFormat& format, const std::string& folder = "")
        : what_(what),
          command_(
              words_of("ffmpeg -loglevel error -y -f rawvideo -pixel_format rgb24 -video_size " +
                       std::to_string(format.width) + "x" + std::to_string(format.height) +
                       " -framerate " + std::to_string(format.rate.numerator) + "/" +
                       std::to_string(format.rate.denominator) + " -i pipe:0 " + options)),
          folder_(folder),
          format_(format) {
        command_.push_back("file:" + path);
    }

    void write(const Image& frame) override {
        if (frame.width() != format_.width || frame.height() != format_.height ||
            frame.channels() != 3 || frame.type() != PixelType::uint8 ||
            frame.layout() != Layout::interleaved)
            throw Error(what_ + " takes RGB frames of " + std::to_string(format_.width) + "x" +
                        std::to_string(format_.height) + " pixels and was given " +
                        describe(frame) + ".");
        if (!child_) start();
        if (!child_->write(frame.raw(), frame.bytes())) fail();
        ++frames_;
    }

    void finish() override {
        if (child_ && (child_->finish() != 0 || !child_->messages().empty())) fail();
    }

  private:
    void start() {
        std::error_code ignored;  // ffmpeg says why it cannot write
        if (!folder_.empty()) fs::create_directories(folder_, ignored);
        child_ = start_program(what_, command_, ChildProcess::Pipe::to_child);
    }
    [[noreturn]] void fail() {
        const int code = child_->finish();
        const bool no_h264 = child_->messages().find("'libx264'") != std::string::npos;
        throw Error(
            what_ + " cannot be written: " + ffmpeg_reason(child_->messages(), code) +
            "; it was given " + std::to_string(frames_) + " frames before." +
            (no_h264 ? " Let its name end in .webm or .y4m, or install an ffmpeg with x264." : ""));
    }

    std::string what_;
    std::vector<std::string> command_;
    std::string folder_;  ///< is made with the first frame; "": there is none
    VideoFormat format_;
    std::unique_ptr<ChildProcess> child_;  ///< from the first frame on
    std::int64_t frames_ = 0;              ///< given to ffmpeg
};

}  // namespace

std::unique_ptr<FrameSink> open_encoder(const std::string& what, const std::string& options,
                                        const std::string& path, const VideoFormat& format) {
    return std::make_unique<FfmpegSink>(what, options, path, format);
}

std::unique_ptr<FrameSink> open_ffmpeg_sink(const std::string& name, const VideoFormat& format) {
    std::error_code error;
    if (!fs::is_directory(name, error) && name.back() != '/') {
        require_writable(name);
        return open_encoder("File '" + name + "'", encoder(file_ending(name), format), name,
                            format);
    }
    if (count_pictures(name) > 0)
        throw Error("Folder '" + name + "' has PNG files already: name a new or an empty folder.");
    std::string path;  // ffmpeg puts the frame's number in the place of a %06d
    for (const char c : name) path += c == '%' ? "%%" : std::string(1, c);
    return std::make_unique<FfmpegSink>("Folder '" + name + "'", kPictures,
                                        path + "/frame_%06d.png", format, name);
}

}  // namespace convolab
