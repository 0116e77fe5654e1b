// SPDX-License-Identifier: MIT
#include <array>
#include <charconv>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <optional>
#include <sstream>

#include "common/base/error.hpp"
#include "common/base/text.hpp"
#include "common/media/ffmpeg.hpp"

namespace convolab {
namespace {

namespace fs = std::filesystem;

/// What is read, and ffmpeg's arguments for it.
struct Input {
    std::string what;                    ///< how errors begin: "File 'a.mp4'"
    std::vector<std::string> arguments;  ///< for ffmpeg and ffprobe
    std::string y4m = {};                ///< the file's path if it is Y4M
    std::int64_t pictures = 0;           ///< in a folder
    bool may_have_sound = false;
    std::string turned = {};  ///< where ffprobe finds that a frame is turned, if not in the stream
};

Input camera(const std::string& device) {
    std::error_code error;
    if (!fs::exists(device, error))
        throw Error("Camera '" + device +
                    "' is not there: connect one, or name a video file or a drawn clip.");
    return {"Camera '" + device + "'", {"-f", "v4l2", "-i", device}};
}

Input folder_of_pictures(const std::string& folder) {
    const std::int64_t pictures = count_pictures(folder);
    if (pictures == 0)
        throw Error("Folder '" + folder + "' has no PNG files: name a folder of frames.");
    std::string pattern;
    for (const char c : fs::absolute(folder).string()) {  // "a:b" alone would be a protocol
        if (std::strchr("*?[]{}\\", c)) pattern += '\\';
        pattern += c;
    }
    pattern += "/*.[pP][nN][gG]";
    return {"Folder '" + folder + "'",
            {"-f", "image2", "-pattern_type", "glob", "-i", pattern},
            "",
            pictures};
}

/// Whether the pixels of a JPEG are followed by its end, whose absence ffmpeg may not say. Before
/// the pixels, FF D9 may also be the end of a preview.
bool has_end(const std::string& jpeg) {
    std::ifstream file(jpeg, std::ios::binary);
    const std::string bytes(std::istreambuf_iterator<char>(file), {});
    const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(bytes[i]); };
    std::size_t at = 2;  // parts of FF, a kind and a length, up to the one of the pixels
    while (at + 4 <= bytes.size() && byte(at + 1) != 0xDA)
        at += byte(at + 1) == 0xFF ? 1 : 2 + 256 * byte(at + 2) + byte(at + 3);
    return bytes.find("\xFF\xD9", at) != std::string::npos;
}

Input file(const std::string& name) {
    std::error_code error;
    if (!fs::exists(name, error))
        throw Error("File '" + name + "' cannot be read: " +
                    (error ? error.message() : "No such file") + "; check the name.");
    if (fs::file_size(name, error) == 0)
        throw Error("File '" + name + "' is empty: copy it again.");
    // "file:" so that a colon or a dash in the name is part of the name.
    const bool is_y4m = file_ending(name) == ".y4m";
    const bool is_photo = is_jpeg(name);
    if (is_photo && !has_end(name))
        throw Error("File '" + name +
                    "' is damaged or cut: a JPEG's end is missing; copy it again.");
    return {"File '" + name + "'", {"-i", "file:" + name},
            is_y4m ? name : "",    0,
            !is_y4m && !is_photo,  is_photo ? ":frame_side_data_list:frame_tags=Orientation" : ""};
}

Input input_of(const std::string& name) {
    const bool is_number = name.find_first_not_of("0123456789") == std::string::npos;
    if (is_number && name.size() <= 3) return camera("/dev/video" + name);
    if (name.starts_with("/dev/video")) return camera(name);
    if (name.find("://") != std::string::npos) return {"Stream '" + name + "'", {"-i", name}};
    std::error_code error;
    return fs::is_directory(name, error) ? folder_of_pictures(name) : file(name);
}

/// Starts `program` (with its first options) on the input, with further options behind it.
std::unique_ptr<ChildProcess> start(const Input& input, const std::string& program,
                                    const std::string& options) {
    std::vector<std::string> command = words_of(program);
    command.insert(command.end(), input.arguments.begin(), input.arguments.end());
    for (auto& word : words_of(options)) command.push_back(std::move(word));
    return start_program(input.what, command, ChildProcess::Pipe::from_child);
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
    std::int64_t first_frame, frame_bytes;  ///< place and size of the first frame, as it is stored
    bool has_matrix;                        ///< the file says how its colours became YUV
    bool has_key;                           ///< it begins with a key frame
    bool is_hdr;
    std::string turn;         ///< filters for a photo, which ffmpeg before 5.0 does not turn
    std::string passthrough;  ///< ffmpeg's option for frames as they come
};

/// What ffprobe says of the input. Throws Error.
std::string ask(const Input& input, const std::string& options) {
    const auto child = start(input, "ffprobe -loglevel error", options);
    std::string answer(4096, '\0');
    answer.resize(child->read(answer.data(), answer.size()));
    if (const int code = child->finish(); code != 0)
        throw Error(input.what +
                    " cannot be read as a video: " + ffmpeg_reason(child->messages(), code) + ".");
    return answer;
}

/// The filters that turn a photo of the orientation 1 (upright) to 8.
std::string turn_of(const std::string& orientation) {
    constexpr std::array kTurns = {"",
                                   "hflip,",
                                   "hflip,vflip,",
                                   "vflip,",
                                   "transpose=0,",
                                   "transpose=1,",
                                   "transpose=3,",
                                   "transpose=2,"};
    const std::size_t at =
        orientation.empty() ? kTurns.size() : std::string("12345678").find(orientation.back());
    return at < kTurns.size() ? kTurns.at(at) : "";
}

Probed probe(const Input& input) {
    std::map<std::string, std::string> fields;
    std::istringstream lines(ask(input,
                                 "-select_streams V:0 -of default=noprint_wrappers=1 -show_entries "
                                 "stream=width,height,avg_frame_rate,r_frame_rate,color_space,"
                                 "color_transfer:stream_side_data_list:packet=pos,size,flags:"
                                 "library_version=major,minor" +
                                     input.turned + " -read_intervals %+#1"));
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
    // The first library is libavutil: 57.17 is that of ffmpeg 5.0, the first that turns photos, and
    // 57.28 that of 5.1, where -fps_mode took the place of -vsync.
    const std::pair version(number(fields["major"]).value_or(57),
                            number(fields["minor"]).value_or(28));
    const std::string turn = version.first < 57 ? turn_of(fields["TAG:Orientation"]) : "";
    if (turn.starts_with("transpose")) std::swap(format.width, format.height);
    require_frame_size(input.what, format.width, format.height);
    const std::string transfer = fields["color_transfer"];
    return {format,
            number(fields["pos"]).value_or(0),
            number(fields["size"]).value_or(0),
            fields["color_space"] != "unknown",
            !fields["flags"].starts_with("_"),
            transfer == "smpte2084" || transfer == "arib-std-b67",
            turn,
            version < std::pair<std::int64_t, std::int64_t>(57, 28) ? "-vsync passthrough"
                                                                    : "-fps_mode passthrough"};
}

class FfmpegSource final : public FrameSource {
  public:
    explicit FfmpegSource(const Input& input) : input_(input), probed_(probe(input)) {
        format_ = probed_.format;
        if (input.may_have_sound &&
            ask(input, "-select_streams a -show_entries stream=index").find("index=") !=
                std::string::npos)
            note("Its sound is left out.");
        if (!probed_.has_key)
            note("It does not begin with a key frame: what comes before one cannot be decoded.");
        if (probed_.is_hdr)
            note("It is HDR: its colours are not converted, so they look pale on usual screens.");
        // The crop changes nothing, but fails for frames of another size, which would be scaled.
        // setpts gives each frame 1000 s, since some clips have wrong time stamps or none; raw
        // frames have none.
        const std::string colours =
            probed_.has_matrix ? "" : "scale=in_color_matrix=" + usual_matrix(format_.height) + ",";
        child_ = start(
            input, "ffmpeg -loglevel error -nostdin",
            "-map 0:V:0 " + probed_.passthrough + " -f rawvideo -vf " + probed_.turn + colours +
                "format=rgb24,crop=w='if(eq(iw," + std::to_string(format_.width) + ")*eq(ih," +
                std::to_string(format_.height) + "),iw,-1)':h=ih:x=0:y=0,setpts=1000*N/TB -");
    }

    bool next(Image& frame) override {
        fit(frame);
        const std::size_t bytes = child_->read(frame.raw(), frame.bytes());
        if (bytes == frame.bytes()) {
            ++frames_;
            return true;
        }
        const int code = child_->finish();
        const std::string read = "; " + std::to_string(frames_) + " frames were read.";
        if (child_->messages().find("non positive size for width '-1'") != std::string::npos)
            throw Error(input_.what + " changes the size of its frames from " +
                        std::to_string(format_.width) + "x" + std::to_string(format_.height) +
                        " pixels to another" + read);
        const bool is_told = code == 0 && !probed_.has_key && frames_ > 0;  // by the note
        if (code != 0 || (!child_->messages().empty() && !is_told) || bytes != 0)
            throw Error(input_.what + " is damaged, cut or cannot be decoded: " +
                        ffmpeg_reason(child_->messages(), code) + read);
        if (frames_ == 0) throw Error(input_.what + " contains no frames.");
        if (is_cut())
            throw Error(input_.what + " is cut: it ends within frame " +
                        std::to_string(frames_ + 1) + "; the frames before it are whole.");
        return false;
    }

  private:
    void note(const std::string& sentence) { note_ += (note_.empty() ? "" : " ") + sentence; }

    /// What ffmpeg does not say: a Y4M file that ends within a frame, and a folder with an empty
    /// file, are shorter clips for it. In Y4M, a frame begins with the 6 bytes of a line "FRAME".
    bool is_cut() const {
        if (input_.y4m.empty()) return frames_ < input_.pictures;
        const std::int64_t end = probed_.first_frame + frames_ * (6 + probed_.frame_bytes) - 6;
        return static_cast<std::int64_t>(fs::file_size(input_.y4m)) != end;
    }

    Input input_;
    Probed probed_;
    std::unique_ptr<ChildProcess> child_;
    std::int64_t frames_ = 0;  ///< read so far
};

}  // namespace

std::unique_ptr<FrameSource> open_ffmpeg_source(const std::string& name) {
    return std::make_unique<FfmpegSource>(input_of(name));
}

}  // namespace convolab
