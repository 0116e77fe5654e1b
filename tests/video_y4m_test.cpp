// SPDX-License-Identifier: MIT
// Y4M through the program ffmpeg; skipped if it is not installed.
#include <fcntl.h>
#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <thread>

#include "tests/video_kit.hpp"

using namespace convolab;
using namespace convolab::test;

namespace {

/// A channel's value with the frame's chroma as U and V, by BT.601.
int expected(int channel, double y, double cb, double cr, bool full) {
    const double light = full ? y : (y - 16) * 255 / 219, u = (cb - 128) * (full ? 1 : 255.0 / 224),
                 v = (cr - 128) * (full ? 1 : 255.0 / 224);
    const double value = channel == 0 ? light + 1.402 * v
                         : channel == 1
                             ? light - 0.114 * 1.772 / 0.587 * u - 0.299 * 1.402 / 0.587 * v
                             : light + 1.772 * u;
    return static_cast<int>(std::clamp(std::floor(value + 0.5), 0.0, 255.0));
}

double largest_difference(const Image& a, const Image& b) {
    double largest = 0;
    for (std::int64_t i = 0; i < a.samples(); ++i)
        largest = std::max(
            largest, std::abs(double{a.data<std::uint8_t>()[i] * 1.0} - b.data<std::uint8_t>()[i]));
    return largest;
}

/// Redirects standard input or output while it lives.
class Redirect {
  public:
    Redirect(int number, int to) : number_(number), before_(::dup(number)) { ::dup2(to, number); }
    ~Redirect() {
        ::dup2(before_, number_);
        ::close(before_);
    }
    Redirect(const Redirect&) = delete;
    Redirect& operator=(const Redirect&) = delete;

  private:
    int number_, before_;
};

/// Descriptors that no child inherits, because a child's copy would keep a pipe open.
struct Ends {
    int ends[2];
    Ends() { REQUIRE(::pipe2(ends, O_CLOEXEC) == 0); }
};

}  // namespace

TEST_CASE("y4m: chroma formats and ranges, against the formula; the rate") {
    NEEDS_FFMPEG();
    struct Kind {
        const char* tag;
        int x, y;  ///< pixels per chroma sample; 0: gray
    };
    const Folder folder;
    const std::string path = folder.file("clip.y4m");
    constexpr int kWidth = 16, kHeight = 4;
    for (const Kind& kind : {Kind{"C420jpeg", 2, 2}, Kind{"C422", 2, 1}, Kind{"C411", 4, 1},
                             Kind{"C444", 1, 1}, Kind{"Cmono", 0, 0}, Kind{"XYSCSS=422", 2, 1}})
        for (const bool full : {false, true}) {
            INFO(kind.tag << (full ? " full" : ""));
            std::string frame;
            for (int i = 0; i < kWidth * kHeight; ++i) frame += static_cast<char>(16 + 3 * i);
            const int chroma = kind.x ? kWidth / kind.x * (kHeight / kind.y) : 0;
            frame += std::string(static_cast<std::size_t>(chroma), static_cast<char>(100));
            frame += std::string(static_cast<std::size_t>(chroma), static_cast<char>(150));
            spill(path, std::string("YUV4MPEG2 W16 H4 F30000:1001 Ip ") + kind.tag +
                            (full ? " XCOLORRANGE=FULL" : "") + "\nFRAME\n" + frame + "FRAME Ip\n" +
                            frame);
            const auto source = open_source(path);
            CHECK(source->format().rate.numerator == 30000);
            CHECK(source->format().rate.denominator == 1001);
            const auto frames = all_frames(*source);
            REQUIRE(frames.size() == 2);
            CHECK(same(frames[0], frames[1]));
            Image right(kWidth, kHeight, 3);
            for (int i = 0; i < kWidth * kHeight; ++i)
                for (int c = 0; c < 3; ++c) {
                    const int luma = 16 + 3 * i;  // of gray, ffmpeg takes it for full range
                    right.set_value(i % kWidth, i / kWidth, c,
                                    kind.x ? expected(c, luma, 100, 150, full) : luma);
                }
            CHECK(largest_difference(frames[0], right) <= 2);
        }
}

TEST_CASE("y4m: there and back changes a sample by at most 2; odd sides; any name") {
    NEEDS_FFMPEG();
    const Folder folder;
    const std::string path = folder.file("a clip's name.Y4M");
    Image all(256, 256, 3);
    for (int y = 0; y < 256; ++y)
        for (int x = 0; x < 256; ++x)
            for (int c = 0; c < 3; ++c)
                all.set_value(x, y, c, c == 0 ? x : c == 1 ? y : (x * 7 + y * 31) & 255);
    for (const Image& image : list(std::move(all), noise_frame(33, 17, 1))) {
        write_clip(path, list(image.copy()));
        const auto back = all_frames(*open_source(path));
        REQUIRE(back.size() == 1);
        CHECK(largest_difference(image, back[0]) <= 2);
    }
    CHECK(no_children());
}

TEST_CASE("y4m: a cut file gives its whole frames, then one message; so does a damaged one") {
    NEEDS_FFMPEG();
    const Folder folder;
    const std::string path = folder.file("x.y4m");
    write_clip(path, list(noise_frame(5, 3, 1), noise_frame(5, 3, 2), noise_frame(5, 3, 3)));
    const std::string whole = slurp(path);
    constexpr std::size_t kFrame = 6 + 5 * 3 * 3;
    for (const std::size_t missing : {std::size_t{1}, kFrame - 1, kFrame, 2 * kFrame - 7}) {
        INFO(missing << " bytes missing");
        spill(path, whole.substr(0, whole.size() - missing));
        std::string error;
        const std::size_t left = 3 - (missing + kFrame - 1) / kFrame;
        CHECK(all_frames(*open_source(path), &error).size() == left);
        if (missing == kFrame)
            CHECK(error.empty());
        else
            says(error, {path, "cut", "frame " + std::to_string(left + 1)});
    }
    spill(path, whole + "more");
    std::string behind;
    CHECK(all_frames(*open_source(path), &behind).size() == 3);
    says(behind, {path});
    std::string damaged = whole;
    damaged[whole.size() - kFrame] = 'f';
    spill(path, damaged);
    std::string error;
    CHECK(all_frames(*open_source(path), &error).size() == 2);
    says(error, {path});
    spill(path, "RIFF");
    says(refusal([&] { open_source(path); }), {path, "cannot be read as a video"});
    says(refusal([&] { open_source(folder.file("missing.y4m")); }), {"missing.y4m", "check"});
    CHECK(no_children());
}

TEST_CASE("y4m: standard input and output, a broken pipe, what is no stream") {
    NEEDS_FFMPEG();
    const auto frames = list(noise_frame(64, 48, 1), noise_frame(64, 48, 2));
    {
        const Ends pipe;
        std::thread writer([&] {
            const Redirect output(STDOUT_FILENO, pipe.ends[1]);
            write_clip("-", frames);
        });
        writer.join();  // both frames fit in the pipe
        ::close(pipe.ends[1]);
        const Redirect input(STDIN_FILENO, pipe.ends[0]);
        const auto back = all_frames(*open_source("-"));
        ::close(pipe.ends[0]);
        REQUIRE(back.size() == 2);
        for (std::size_t i = 0; i < 2; ++i) CHECK(largest_difference(back[i], frames[i]) <= 2);
    }
    {
        const Ends pipe;
        ::close(pipe.ends[0]);
        const Redirect output(STDOUT_FILENO, pipe.ends[1]);
        ::close(pipe.ends[1]);
        const std::string error = refusal([&] {
            const auto sink = open_sink("-", {64, 48, {}});
            for (std::uint64_t i = 0; i < 100; ++i) sink->write(noise_frame(64, 48, i));
            sink->finish();
        });
        says(error, {"Standard output", "cannot be written"});
    }
    const Ends pipe;
    REQUIRE(::write(pipe.ends[1], "RIFF\n", 5) == 5);
    ::close(pipe.ends[1]);
    const Redirect input(STDIN_FILENO, pipe.ends[0]);
    says(refusal([] { open_source("-"); }), {"Standard input", "not Y4M"});
    CHECK(no_children());
}

TEST_CASE("y4m: files that cannot be written; without ffmpeg") {
    NEEDS_FFMPEG();
    const Folder folder;
    const std::string full = folder.file("x.y4m");
    REQUIRE(::symlink("/dev/full", full.c_str()) == 0);
    says(refusal([&] { write_clip(full, list(noise_frame(9, 9, 1))); }), {full, "No space left"});
    says(refusal([] {
             open_sink("/nowhere/x.y4m", {4, 4, {}});
         }),
         {"/nowhere/x.y4m", "No such file"});
    const std::string path = std::getenv("PATH");
    ::setenv("PATH", folder.path.c_str(), 1);
    const std::string file =
        refusal([&] { write_clip(folder.file("y.y4m"), list(Image(8, 8, 3))); });
    const std::string output = refusal([&] { write_clip("-", list(Image(8, 8, 3))); });
    ::setenv("PATH", path.c_str(), 1);
    says(file, {"y.y4m", "program ffmpeg", "not installed", "folder of PNG files"});
    says(output, {"Standard output", "program ffmpeg", "not installed"});
    CHECK(no_children());
}

TEST_CASE("y4m: a clip without a frame rate has a note") {
    NEEDS_FFMPEG();
    const Folder folder;
    const std::string path = folder.file("clip.y4m");
    for (const auto& [rate, is_noted] : std::vector<std::pair<std::string, bool>>{
             {"F0:0 ", true}, {"", true}, {"F25:1 ", false}, {"F30000:1001 ", false}}) {
        spill(path, "YUV4MPEG2 W2 H2 " + rate + "Cmono\nFRAME\nabcd");
        const auto source = open_source(path);
        CHECK(source->note() ==
              (is_noted ? "The clip gives no frame rate: 25 frames per second are assumed." : ""));
        if (is_noted) CHECK(source->format().rate.numerator == 25);
    }
}
