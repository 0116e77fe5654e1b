// Copyright (c) 2026 The Convolab authors
// SPDX-License-Identifier: MIT
#include <fcntl.h>
#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <thread>

#include "common/video/y4m.hpp"
#include "tests/video_kit.hpp"

using namespace convolab;
using namespace convolab::test;

namespace {

std::string read_refusal(const std::string& path) {
    return refusal([&] { all_frames(*open_source(path)); });
}

/// The formula of yuv.hpp in double precision.
int expected(int channel, double y, double cb, double cr, bool full) {
    const double light = full ? y : (y - 16) * 255 / 219, u = (cb - 128) * (full ? 1 : 255.0 / 224),
                 v = (cr - 128) * (full ? 1 : 255.0 / 224);
    const double value = channel == 0 ? light + 1.402 * v
                         : channel == 1
                             ? light - 0.114 * 1.772 / 0.587 * u - 0.299 * 1.402 / 0.587 * v
                             : light + 1.772 * u;
    return static_cast<int>(std::clamp(std::floor(value + 0.5), 0.0, 255.0));
}

/// Standard input or output for a while.
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

}  // namespace

TEST_CASE("y4m: every chroma format, odd sizes, both ranges, against the formula") {
    struct Kind {
        const char* tag;
        int x, y;
    };
    const Folder folder;
    const std::string path = folder.file("clip.y4m");
    for (const Kind& kind : {Kind{"C420", 2, 2},
                             {"C420jpeg", 2, 2},
                             {"C420mpeg2", 2, 2},
                             {"C420paldv", 2, 2},
                             {"", 2, 2},
                             {"C422", 2, 1},
                             {"C411", 4, 1},
                             {"C444", 1, 1},
                             {"XYSCSS=420JPEG", 2, 2},
                             {"XYSCSS=420MPEG2", 2, 2},
                             {"XYSCSS=420PALDV", 2, 2},
                             {"XYSCSS=422", 2, 1},
                             {"XYSCSS=411", 4, 1},
                             {"XYSCSS=444", 1, 1},
                             {"XYSCSS=420JPEG C422", 2, 1},
                             {"C422 XYSCSS=420JPEG", 2, 1},
                             {"Cmono", 0, 0}})
        for (const bool full : {false, true})
            for (const auto& [w, h] : {std::pair{1, 1}, {7, 5}, {16, 2}}) {
                INFO(kind.tag << ' ' << w << 'x' << h << (full ? " full" : ""));
                const int cw = kind.x ? (w + kind.x - 1) / kind.x : 0,
                          ch = kind.x ? (h + kind.y - 1) / kind.y : 0;
                const Image bytes = noise_frame(w * h + 2 * cw * ch, 2, 9);
                const auto* data = bytes.data<std::uint8_t>();
                const std::string header = "YUV4MPEG2 W" + std::to_string(w) + " H" +
                                           std::to_string(h) + " F30000:1001 Ip " + kind.tag +
                                           (full ? " XCOLORRANGE=FULL" : "") + "\n";
                const auto size = static_cast<std::size_t>(w * h + 2 * cw * ch);
                const std::string frame(reinterpret_cast<const char*>(data), size);
                spill(path, header + "FRAME\n" + frame + "FRAME Ip\n" + frame);
                const auto source = open_source(path);
                CHECK(source->format().rate.numerator == 30000);
                CHECK(source->format().rate.denominator == 1001);
                const auto frames = all_frames(*source);
                REQUIRE(frames.size() == 2);
                CHECK(same(frames[0], frames[1]));
                int different = 0;
                for (int y = 0; y < h; ++y)
                    for (int x = 0; x < w; ++x)
                        for (int c = 0; c < 3; ++c) {
                            const int at = kind.x ? y / kind.y * cw + x / kind.x : 0;
                            const int u = kind.x ? data[w * h + at] : 128;
                            const int v = kind.x ? data[w * h + cw * ch + at] : 128;
                            different += frames[0].value(x, y, c) !=
                                         expected(c, data[y * w + x], u, v, full);
                        }
                CHECK(different == 0);
            }
}

TEST_CASE("y4m: there and back changes a sample by at most 2; gray stays gray") {
    const Folder folder;
    const std::string path = folder.file("a clip's name.y4m");
    Image all(256, 256, 3);
    for (int y = 0; y < 256; ++y)
        for (int x = 0; x < 256; ++x)
            for (int c = 0; c < 3; ++c)
                all.set_value(x, y, c, c == 0 ? x : c == 1 ? y : (x * 7 + y * 31) & 255);
    Image gray(256, 1, 3);
    for (int x = 0; x < 256; ++x)
        for (int c = 0; c < 3; ++c) gray.set_value(x, 0, c, x);
    for (const Image& image : list(std::move(all), std::move(gray), noise_frame(33, 17, 1))) {
        write_clip(path, list(image.copy()));
        const auto back = all_frames(*open_source(path));
        REQUIRE(back.size() == 1);
        double largest = 0;
        for (std::int64_t i = 0; i < image.samples(); ++i)
            largest = std::max(largest, std::abs(double{image.data<std::uint8_t>()[i] * 1.0} -
                                                 back[0].data<std::uint8_t>()[i]));
        CHECK(largest <= (image.height() == 1 ? 1 : 2));
        if (image.height() == 1) {
            for (int x = 0; x < 256; ++x) CHECK(back[0].value(x, 0, 0) == back[0].value(x, 0, 2));
            CHECK(back[0].value(0, 0, 0) == 0);
            CHECK(back[0].value(255, 0, 1) == 255);
        }
    }
}

TEST_CASE("y4m: a clip without a frame rate has a note") {
    const Folder folder;
    const std::string path = folder.file("clip.y4m");
    for (const auto& [rate, is_noted] :
         {std::pair{"F0:0 ", true}, {"", true}, {"F25:1 ", false}, {"F30000:1001 ", false}}) {
        spill(path, std::string("YUV4MPEG2 W2 H1 ") + rate + "Cmono\nFRAME\nab");
        const auto source = open_source(path);
        CHECK(source->note() ==
              (is_noted ? "The clip gives no frame rate: 25 frames per second are assumed." : ""));
        if (is_noted) CHECK(source->format().rate.numerator == 25);
    }
}

TEST_CASE("y4m: what is not read is refused in one sentence") {
    const Folder folder;
    const std::string path = folder.file("x.y4m");
    const auto refused = [&](const std::string& bytes) {
        spill(path, bytes);
        return read_refusal(path);
    };
    says(refused(""), {path, "not Y4M"});
    says(refused("RIFF"), {path, "not Y4M"});
    says(refused(std::string(10'000, 'Y')), {path, "not Y4M"});
    says(refused("YUV4MPEG2 W4 H4 C420p10 F25:1\n"), {path, "C420p10", "8-bit", "-pix_fmt"});
    says(refused("YUV4MPEG2 W4 H4 C422p12\n"), {"C422p12"});
    says(refused("YUV4MPEG2 W4 H4 Cmono16\n"), {"Cmono16"});
    says(refused("YUV4MPEG2 W4 H4 C444alpha\n"), {"C444alpha", "alpha"});
    says(refused("YUV4MPEG2 W4 H4 XYSCSS=420P10\n"), {"XYSCSS=420P10", "-pix_fmt"});
    for (const char* kind : {"C410", "C440", "Im"})
        says(refused(std::string("YUV4MPEG2 W4 H4 ") + kind + "\n"),
             {kind, "ffmpeg does not read this either"});
    says(refused("YUV4MPEG2 W4 H4 It\n"), {"interlaced", "yadif"});
    says(refused("YUV4MPEG2 H4\n"), {"no W"});
    says(refused("YUV4MPEG2 W4 H0\n"), {"no H"});
    says(refused("YUV4MPEG2 W4 H-1\n"), {"H-1"});
    says(refused("YUV4MPEG2 W4x H4\n"), {"W4x"});
    says(refused("YUV4MPEG2 W99999999999999999999 H4\n"), {"W9999"});
    says(refused("YUV4MPEG2 W65535 H65535\n"), {"65535x65535", "samples in all"});
    says(refused("YUV4MPEG2 W4 H4 F25/1\n"), {"F25/1"});
    says(read_refusal(folder.file("missing.y4m")), {"missing.y4m", "check the name"});
}

TEST_CASE("y4m: a cut or damaged stream gives its whole frames, then one sentence") {
    const Folder folder;
    const std::string path = folder.file("x.y4m");
    write_clip(path, list(noise_frame(5, 3, 1), noise_frame(5, 3, 2), noise_frame(5, 3, 3)));
    const std::string whole = slurp(path);
    const std::size_t frame = 6 + 5 * 3 * 3, header = whole.size() - 3 * frame;
    for (std::size_t size = header; size <= whole.size(); ++size) {
        spill(path, whole.substr(0, size));
        std::string error;
        const auto frames = all_frames(*open_source(path), &error);
        CHECK(frames.size() == (size - header) / frame);
        if ((size - header) % frame == 0)
            CHECK(error.empty());
        else
            says(error, {path, "cut", "frame " + std::to_string(frames.size() + 1)});
    }
    for (const std::size_t size : {header - 1, std::size_t{12}, std::size_t{9}}) {
        spill(path, whole.substr(0, size));
        says(read_refusal(path), {path, "cut", "within its first line"});
    }
    spill(path, whole.substr(0, header) + "FRAME Ip");  // parameters of a frame, without their end
    std::string cut;
    CHECK(all_frames(*open_source(path), &cut).empty());
    says(cut, {path, "cut", "within frame 1"});
    std::string damaged = whole;
    damaged[header + frame] = 'f';
    spill(path, damaged);
    std::string error;
    CHECK(all_frames(*open_source(path), &error).empty());  // frame 1 may not be whole
    says(error, {path, "damaged", "frame 1", "no FRAME follows"});
    spill(path, whole.substr(0, header) + "frame\n");
    says(read_refusal(path), {path, "no FRAME follows its first line"});
}

TEST_CASE("y4m: of frames with fewer or more bytes than the first line says, none is given on") {
    const Folder folder;
    const std::string path = folder.file("x.y4m");
    for (const auto& [kind, bytes] :
         {std::pair{"C420", 64}, {"C420", 128}, {"C444", 96}, {"Cmono", 96}})
        for (const int count : {1, 2, 3, 9}) {
            INFO(kind << ", " << bytes << " bytes, " << count << " frames");
            std::string clip = std::string("YUV4MPEG2 W8 H8 ") + kind + "\n";
            for (int i = 0; i < count; ++i)
                clip += "FRAME\n" + std::string(static_cast<std::size_t>(bytes), 'x');
            spill(path, clip);
            std::string error;
            CHECK(all_frames(*open_source(path), &error).empty());
            says(error, {path, "frame 1"});
        }
}

TEST_CASE("y4m: standard input and output, a broken pipe") {
    int ends[2];
    REQUIRE(::pipe(ends) == 0);
    const auto frames = list(noise_frame(64, 48, 1), noise_frame(64, 48, 2));
    {
        std::thread writer([&] {
            const Redirect output(STDOUT_FILENO, ends[1]);
            ::close(ends[1]);
            write_clip("-", frames);
        });
        const Redirect input(STDIN_FILENO, ends[0]);
        const auto source = open_source("-");
        Image first, second;
        CHECK(source->next(first));
        CHECK(source->next(second));
        writer.join();
        Image none;
        CHECK_FALSE(source->next(none));
    }
    ::close(ends[0]);

    REQUIRE(::pipe(ends) == 0);
    ::close(ends[0]);
    std::string error;
    {
        const Redirect output(STDOUT_FILENO, ends[1]);
        error = refusal([&] { write_clip("-", frames); });  // SIGPIPE would end this program
    }
    ::close(ends[1]);
    says(error, {"Standard output", "has ended", "0 whole frames"});
    sigset_t pending;
    sigpending(&pending);
    CHECK(sigismember(&pending, SIGPIPE) == 0);
}

TEST_CASE("y4m: a full disk leaves whole frames") {
    const Folder folder;
    const std::string path = folder.file("x.y4m");
    REQUIRE(::symlink("/dev/full", path.c_str()) == 0);
    says(refusal([&] { write_clip(path, list(noise_frame(9, 9, 1))); }),
         {path, "No space left", "0 whole frames"});
    says(refusal([] {
             open_sink("/nowhere/x.y4m", {4, 4, {}});
         }),
         {"/nowhere/x.y4m", "No such file"});
}
