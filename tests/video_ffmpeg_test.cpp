// SPDX-License-Identifier: MIT
// Clips through the program ffmpeg; skipped if it is not installed.
#include <fcntl.h>
#include <signal.h>
#include <sys/resource.h>

#include <chrono>
#include <cmath>
#include <tuple>

#include "common/image/png.hpp"
#include "tests/video_kit.hpp"

using namespace convolab;
using namespace convolab::test;

namespace {

/// Runs the command that the message names, with out.* in the folder.
int follow(const std::string& sentence, const Folder& folder) {
    INFO(sentence);
    const std::size_t begin = sentence.find('`') + 1;
    std::string command;
    for (auto word : words_of(sentence.substr(begin, sentence.find('`', begin) - begin))) {
        std::erase(word, '\'');  // no shell takes them away here
        command += (word.starts_with("out.") ? folder.file(word) : word) + ' ';
    }
    return run(command);
}

std::vector<Image> moving(int width, int height, int frames) {
    return all_frames(*open_source(
        "moving", {.width = width, .height = height, .frames = frames, .noise = {0, 0}}));
}

double psnr(const Image& a, const Image& b) {
    double sum = 0;
    for (std::int64_t i = 0; i < a.samples(); ++i)
        sum += std::pow(a.data<std::uint8_t>()[i] - b.data<std::uint8_t>()[i], 2);
    return 10 * std::log10(255 * 255 * static_cast<double>(a.samples()) / sum);
}

}  // namespace

TEST_CASE("ffmpeg: frames of a lossless file come back exactly") {
    NEEDS_FFMPEG();
    const Folder folder;
    std::vector<Image> frames;
    for (std::uint64_t i = 0; i < 5; ++i) frames.push_back(noise_frame(33, 17, i));
    write_clip(folder.file("in/"), frames);
    REQUIRE(run("ffmpeg -loglevel error -framerate 30000/1001 -i " +
                folder.file("in/frame_%06d.png") + " -c:v ffv1 -pix_fmt bgr0 " +
                folder.file("a:b c.mkv")) != 0);  // arguments, not a shell command
    REQUIRE(run("ffmpeg -loglevel error -framerate 30000/1001 -i " +
                folder.file("in/frame_%06d.png") + " -c:v ffv1 -pix_fmt bgr0 " +
                folder.file("x.mkv")) == 0);
    std::filesystem::rename(folder.file("x.mkv"), folder.file("-a 'b' 1:2.mkv"));
    const auto source = open_source(folder.file("-a 'b' 1:2.mkv"));
    CHECK(source->format().rate.numerator == 30000);
    CHECK(source->format().rate.denominator == 1001);
    const auto back = all_frames(*source);
    REQUIRE(back.size() == 5);
    for (std::size_t i = 0; i < 5; ++i) CHECK(same(back[i], frames[i]));
    CHECK(no_children());
}

TEST_CASE("ffmpeg: an mp4 there and back: every frame, colours kept; odd sides") {
    NEEDS_FFMPEG();
    const Folder folder;
    for (const auto& [width, height] : {std::pair{96, 64}, {97, 63}}) {
        const std::string path = folder.file(std::to_string(width) + ".mp4");
        const auto frames = moving(width, height, 9);
        const auto sink = open_sink(path, {width, height, {25, 2}});
        for (const auto& frame : frames) sink->write(frame);
        sink->finish();
        CHECK(sink->note().empty() == (width % 2 == 0));
        const auto source = open_source(path);
        CHECK(source->format().rate.numerator == 25);
        CHECK(source->format().rate.denominator == 2);
        const auto back = all_frames(*source);
        REQUIRE(back.size() == 9);
        for (std::size_t i = 0; i < 9; ++i) {
            INFO(width << ", frame " << i << ": " << psnr(back[i], frames[i]) << " dB");
            CHECK(psnr(back[i], frames[i]) > (width % 2 == 0 ? 24 : 30));
        }
    }
    CHECK(no_children());
}

TEST_CASE("ffmpeg: frames without time stamps, deep samples, an ending in capital letters") {
    NEEDS_FFMPEG();
    const Folder folder;
    const auto frames = moving(96, 64, 50);
    write_clip(folder.file("a.y4m"), frames);
    const std::string ffmpeg = "ffmpeg -loglevel error -y -i ";
    REQUIRE(run(ffmpeg + folder.file("a.y4m") + " -c:v libx264 -bf 3 -f h264 " +
                folder.file("bare.264")) == 0);
    run(ffmpeg + folder.file("bare.264") + " -c copy " + folder.file("stampless.mp4"));
    std::string error;
    CHECK(all_frames(*open_source(folder.file("stampless.mp4")), &error).size() >= 48);
    CHECK(error.empty());

    REQUIRE(run(ffmpeg + folder.file("a.y4m") + " -c:v ffv1 -pix_fmt yuv420p10le " +
                folder.file("deep.mkv")) == 0);
    const auto deep = open_source(folder.file("deep.mkv"));
    CHECK(all_frames(*deep, &error).size() == 50);
    says(deep->note(), {"more than 8 bits", "yuv420p10le"});
    CHECK(open_source(folder.file("stampless.mp4"))->note().empty());

    write_clip(folder.file("CLIP.MP4"), frames);  // as .mp4: 4:2:0, in pieces
    write_clip(folder.file("clip.mp4"), frames);
    CHECK(slurp(folder.file("CLIP.MP4")) == slurp(folder.file("clip.mp4")));
    std::filesystem::copy(folder.file("a.y4m"), folder.file("A.Y4M"));
    CHECK(all_frames(*open_source(folder.file("A.Y4M"))).size() == 50);
}

TEST_CASE("ffmpeg: frames that change size are an error, after the ones before it") {
    NEEDS_FFMPEG();
    const Folder folder;
    write_clip(folder.file("a.h264"), moving(64, 48, 12));
    write_clip(folder.file("b.h264"), moving(48, 64, 12));
    spill(folder.file("c.h264"), slurp(folder.file("a.h264")) + slurp(folder.file("b.h264")));
    std::string error;
    const auto frames = all_frames(*open_source(folder.file("c.h264")), &error);
    CHECK(frames.size() > 0);
    CHECK(frames.size() <= 12);
    says(error, {"c.h264", "changes the size", "64x48"});
    CHECK(no_children());
}

TEST_CASE("ffmpeg: Y4M with deep samples, alpha, fields, long pixels: a note for what is lost") {
    NEEDS_FFMPEG();
    const Folder folder;
    const std::string path = folder.file("in.y4m");
    const std::string rate = "The clip gives no frame rate: 25 frames per second are assumed.";
    for (const auto& [kind, bytes, note] : std::vector<std::tuple<std::string, int, std::string>>{
             {"F25:1 C420p10", 768,
              "Samples of more than 8 bits (yuv420p10le) were read as 8 bits."},
             {"F25:1 C444p16", 1536,
              "Samples of more than 8 bits (yuv444p16le) were read as 8 bits."},
             {"Cmono10", 512,
              "Samples of more than 8 bits (gray10le) were read as 8 bits. " + rate},
             {"F25:1 C444alpha", 1024, "The clip's alpha is lost."},
             {"F25:1 It", 384,
              "The clip is interlaced: the two fields of a frame are filtered as one picture."},
             {"F25:1 Ip A128:117", 384,
              "The clip's pixels are not square (128:117); those of the output are."},
             {"F25:1 Ip A1:1", 384, ""},
             {"F25:1 Ip A0:0", 384, ""}}) {
        INFO(kind);
        const std::string frame = "FRAME\n" + std::string(static_cast<std::size_t>(bytes), 1);
        spill(path, "YUV4MPEG2 W16 H16 " + kind + "\n" + frame + frame);
        const auto source = open_source(path);
        CHECK(source->note() == note);
        const auto frames = all_frames(*source);
        REQUIRE(frames.size() == 2);
        CHECK(describe(frames[1]) == describe(Image(16, 16, 3)));
    }
}

TEST_CASE("ffmpeg: a picture that is no PNG becomes one with the command that the message names") {
    NEEDS_FFMPEG();
    const Folder folder;
    const Image picture = std::move(moving(64, 48, 1).front());
    write_png(folder.file("picture.png"), picture);
    const auto is_made = [&](const std::string& command, const std::string& ending) {
        try {
            return run(command + " " + folder.file("in." + ending)) == 0;
        } catch (const std::system_error&) {
            return false;
        }
    };
    const auto convert_back = [&](const std::string& ending) {
        INFO(ending);
        const std::string sentence = refusal([&] { read_png(folder.file("in." + ending)); });
        REQUIRE(follow(sentence, folder) == 0);
        CHECK(psnr(read_png(folder.file("out.png")).colour, picture) > 20);
        std::filesystem::remove(folder.file("out.png"));
    };
    const std::string ffmpeg = "ffmpeg -loglevel error -loop 1 -i " + folder.file("picture.png");
    for (const char* ending : {"jpg", "bmp", "tif"}) {
        REQUIRE(is_made(ffmpeg + " -frames:v 1", ending));
        convert_back(ending);
    }
    REQUIRE(is_made(ffmpeg + " -frames:v 2", "gif"));  // the first picture is taken
    convert_back("gif");
    const std::string heif = "heif-enc -q 90 " + folder.file("picture.png") + " -o";
    for (const auto& [command, ending] : {std::pair{ffmpeg + " -frames:v 1", "webp"},
                                          {ffmpeg + " -frames:v 1", "avif"},
                                          {heif, "heic"}})
        if (is_made(command, ending))
            convert_back(ending);
        else
            WARN("Not tested here, since no program makes one: " << ending);
}

TEST_CASE("ffmpeg: a cut file, no video, no file, no camera: one message each") {
    NEEDS_FFMPEG();
    const Folder folder;
    const std::string path = folder.file("x.mp4");
    write_clip(path, moving(96, 64, 60));
    const std::string whole = slurp(path);
    spill(path, whole.substr(0, whole.size() * 2 / 3));
    std::string error;
    const auto frames = all_frames(*open_source(path), &error);
    CHECK(frames.size() > 10);
    CHECK(frames.size() < 60);
    says(error, {path, "damaged, cut", "ffmpeg says"});
    spill(path, "not a video");
    says(refusal([&] { open_source(path); }), {path, "cannot be read as a video", "ffmpeg says"});
    REQUIRE(run("ffmpeg -loglevel error -f lavfi -i sine=duration=0.1 " + folder.file("s.wav")) ==
            0);
    says(refusal([&] { open_source(folder.file("s.wav")); }), {"s.wav", "contains no video"});
    says(refusal([] { open_source("987"); }), {"/dev/video987", "not there"});
    says(refusal([] { open_source("nowhere://x"); }), {"Stream 'nowhere://x'", "ffmpeg says"});
    CHECK(no_children());
}

TEST_CASE("ffmpeg: if it cannot write, one message; a full disk keeps what was written") {
    NEEDS_FFMPEG();
    const Folder folder;
    const auto frames = moving(320, 240, 3);
    says(refusal([&] { write_clip(folder.file("x.unknown"), frames); }),
         {"x.unknown", "ffmpeg says"});
    says(refusal([&] { write_clip("/nowhere/x.mp4", frames); }),
         {"/nowhere/x.mp4", "No such file"});
    // The limit on a file's size ends ffmpeg in the middle of its work.
    const std::string path = folder.file("full.mp4");
    rlimit before{};
    getrlimit(RLIMIT_FSIZE, &before);
    const rlimit small{400'000, before.rlim_max};
    setrlimit(RLIMIT_FSIZE, &small);
    std::string error;
    {
        const auto sink = open_sink(path, {320, 240, {5, 1}});
        error = refusal([&] {
            for (std::uint64_t i = 0; i < 100; ++i) sink->write(noise_frame(320, 240, i));
            sink->finish();
        });
    }
    setrlimit(RLIMIT_FSIZE, &before);
    says(error, {path, "cannot be written", "ended by a signal"});
    std::string damage;
    CHECK(all_frames(*open_source(path), &damage).size() > 0);
    CHECK(no_children());
}

TEST_CASE(
    "ffmpeg: a sink without finish() is a whole file, a source left early leaves no process") {
    NEEDS_FFMPEG();
    const Folder folder;
    const std::string path = folder.file("x.mp4");
    {
        const auto sink = open_sink(path, {96, 64, {}});
        for (const auto& frame : moving(96, 64, 40)) sink->write(frame);
    }
    CHECK(no_children());
    {
        const auto source = open_source(path);
        Image frame;
        CHECK(source->next(frame));
    }
    CHECK(no_children());
    CHECK(all_frames(*open_source(path)).size() == 40);
}

TEST_CASE("ffmpeg: if it is not installed, the message says what to do") {
    const Folder folder;
    spill(folder.file("x.mp4"), "");
    const std::string path = std::getenv("PATH");
    ::setenv("PATH", folder.path.c_str(), 1);
    const std::string reading = refusal([&] { open_source(folder.file("x.mp4")); });
    const std::string writing = refusal([&] { write_clip(folder.file("y.mp4"), moving(8, 8, 1)); });
    ::setenv("PATH", path.c_str(), 1);
    says(reading, {"x.mp4", "ffprobe", "not installed", "tools/setup.sh ffmpeg"});
    says(writing, {"y.mp4", "program ffmpeg", "not installed"});
    CHECK(no_children());
}

TEST_CASE("child process: messages are kept to 4096 bytes and never block it; how it ended") {
    ChildProcess loud({"sh", "-c", "head -c 1000000 /dev/zero >&2; echo out; exit 3"},
                      ChildProcess::Pipe::from_child);
    char out[8];
    CHECK(loud.read(out, sizeof out) == 4);
    CHECK(loud.finish() == 3);
    CHECK(loud.messages().size() == 4096);
    ChildProcess killed({"sh", "-c", "kill -9 $$"}, ChildProcess::Pipe::to_child);
    CHECK(killed.finish() == 128 + SIGKILL);
    CHECK(ffmpeg_reason("", 128 + SIGKILL).find("Killed") != std::string::npos);
    CHECK(ffmpeg_reason("[mov @ 0x12] file:a.mp4: moov atom not found\nmore", 1) ==
          "ffmpeg says 'a.mp4: moov atom not found'");
    {
        const auto start = std::chrono::steady_clock::now();
        { ChildProcess sleeping({"sleep", "100"}, ChildProcess::Pipe::from_child); }
        CHECK(std::chrono::steady_clock::now() - start < std::chrono::seconds(20));
    }
    CHECK(no_children());
}

TEST_CASE("child process: no child inherits the pipe of another") {
    ChildProcess first({"cat"}, ChildProcess::Pipe::to_child);
    ChildProcess second({"sleep", "100"}, ChildProcess::Pipe::from_child);  // would keep it open
    CHECK(first.finish() == 0);
}
