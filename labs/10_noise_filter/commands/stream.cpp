// SPDX-License-Identifier: MIT
// lab stream and lab play: a clip into a difference stream, and back.
#include <iomanip>
#include <iostream>

#include "common/base/error.hpp"
#include "common/driver/command_line.hpp"
#include "common/driver/interrupts.hpp"
#include "common/media/pictures.hpp"
#include "labs/10_noise_filter/commands/clip_filter.hpp"
#include "labs/10_noise_filter/commands/commands.hpp"
#include "labs/10_noise_filter/commands/difference_stream.hpp"

namespace convolab::noise_filter {
namespace {

void require_other_file(const std::string& video, const std::string& out) {
    if (is_same_file(video, out))
        throw UsageError("Option --out: '" + out + "' is the input; name another file.");
}

OwnOption required(OwnOption option) {
    option.is_required = true;
    return option;
}

/// Reads frames, and keeps an error until everything that was read has been written.
class UntilTrouble {
  public:
    template <class Next>
    bool operator()(const Next& next) try {
        return next();
    } catch (const Error&) {
        error_ = std::current_exception();
        return false;
    }
    void rethrow() const {
        if (error_) std::rethrow_exception(error_);
    }

  private:
    std::exception_ptr error_;
};

void tell(const std::string& out, const DifferenceEncoder& stream) {
    const auto frames = static_cast<double>(stream.frames());
    const auto pixels = static_cast<double>(stream.receiver().pixels());
    const double later = std::max(frames - 1, 1.0);
    // To standard error if the stream goes to standard output.
    (out == "-" ? std::cerr : std::cout)
        << out << ": " << stream.frames() << " frames in " << stream.bytes() << " bytes, "
        << std::setprecision(3) << 100 * static_cast<double>(stream.bytes()) / (3 * pixels * frames)
        << " % of the frames' own; after the first, "
        << 100 * static_cast<double>(stream.sent_pixels()) / (later * pixels)
        << " % of the pixels were sent.\n";
}

}  // namespace

int stream_command(int argc, char** argv) {
    std::string video = "moving", out, filter = "none";
    std::optional<int> length;
    int threshold = 0, ksize = 3;
    const bool read = read_options(
        argc, argv, "A clip as a difference stream: its first frame and the pixels that change.",
        {text_option("--video", "a clip, as `lab run` takes it (default: moving)", video),
         required(text_option("--out", "the stream's file, or - for a pipe", out)),
         number_option(
             "--threshold",
             "the receiver may be wrong by so much per sample (default: 0: identical frames)", 0,
             255, [&](int number) { threshold = number; }),
         text_option("--filter", "of each frame: none (default), box, gaussian, median", filter),
         number_option("--ksize", "side K of the filter: 3 (default), 5, 7, 9", 1, 65536,
                       [&](int number) { ksize = number; }),
         number_option("--length", "frames of the clip at most", 1, 1'000'000'000,
                       [&](int number) { length = number; })});
    if (!read) return 0;
    require_other_file(video, out);
    const auto source = open_clip(video, length);
    ClipFilter frames(*source, filter, ksize);
    DifferenceSink sink(out, source->format(), threshold);
    catch_interrupts();
    UntilTrouble next;  // an error must not leave the stream incomplete
    for (int n = 0;
         (!length || n < *length) && !interrupted() && next([&] { return frames.next(); }); ++n)
        sink.write(frames.filtered());
    sink.finish();
    if (sink.encoder().frames() > 0) tell(out, sink.encoder());
    next.rethrow();
    return interrupted() ? interrupted_exit_code() : 0;
}

int play_command(int argc, char** argv) {
    std::string video, out;
    const bool read = read_options(
        argc, argv, "The frames of a difference stream.",
        {required(text_option("--video", "a file of `lab stream`, or - for a pipe", video)),
         required(text_option("--out", "a video file (.mp4, .y4m), or folder/ for PNGs", out))});
    if (!read) return 0;
    require_other_file(video, out);
    const auto source = open_difference_source(video);
    const auto sink = open_sink(out, source->format());
    catch_interrupts();
    std::int64_t frames = 0;
    Image frame;
    UntilTrouble next;  // an error must not lose the frames before it
    for (; !interrupted() && next([&] { return source->next(frame); }); ++frames)
        sink->write(frame);
    sink->finish();
    if (frames > 0) std::cout << out << ": " << frames << " frames.\n";
    next.rethrow();
    return interrupted() ? interrupted_exit_code() : 0;
}

}  // namespace convolab::noise_filter
