// SPDX-License-Identifier: MIT
// Clips through the program ffmpeg; skipped if it is not installed.
#include <sys/resource.h>
#include <sys/stat.h>

#include <algorithm>
#include <cmath>
#include <tuple>

#include "common/media/pictures.hpp"
#include "common/media/png.hpp"
#include "tests/video_kit.hpp"

using namespace convolab;
using namespace convolab::test;
namespace fs = std::filesystem;

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

int largest_difference(const Image& a, const Image& b) {
    int largest = 0;
    for (std::int64_t i = 0; i < a.samples(); ++i)
        largest =
            std::max(largest, std::abs(a.data<std::uint8_t>()[i] - b.data<std::uint8_t>()[i]));
    return largest;
}

const std::string kFfmpeg = "ffmpeg -loglevel error -y ";

}  // namespace

TEST_CASE("video: an mp4 there and back: every frame, colours kept; odd sides") {
    NEEDS_FFMPEG();
    const Folder folder;
    for (const auto& [width, height] : {std::pair{96, 64}, {97, 63}}) {
        const std::string path = folder.file(std::to_string(width) + ".mp4");
        const auto frames = moving(width, height, 9);
        const auto sink = open_sink(path, {width, height, {25, 2}});
        for (const auto& frame : frames) sink->write(frame);
        sink->finish();
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

TEST_CASE("video: frames without time stamps, deep samples, an ending in capital letters") {
    NEEDS_FFMPEG();
    const Folder folder;
    const auto frames = moving(96, 64, 50);
    write_clip(folder.file("a.y4m"), frames);
    REQUIRE(run(kFfmpeg + "-i " + folder.file("a.y4m") + " -c:v libx264 -bf 3 -f h264 " +
                folder.file("bare.264")) == 0);
    run(kFfmpeg + "-i " + folder.file("bare.264") + " -c copy " + folder.file("stampless.mp4"));
    std::string error;
    CHECK(all_frames(*open_source(folder.file("stampless.mp4")), &error).size() >= 48);
    CHECK(error.empty());

    REQUIRE(run(kFfmpeg + "-i " + folder.file("a.y4m") + " -c:v ffv1 -pix_fmt yuv420p10le " +
                folder.file("deep.mkv")) == 0);
    CHECK(all_frames(*open_source(folder.file("deep.mkv"))).size() == 50);

    write_clip(folder.file("CLIP.MP4"), frames);  // as .mp4: 4:2:0, in pieces
    write_clip(folder.file("clip.mp4"), frames);
    CHECK(slurp(folder.file("CLIP.MP4")) == slurp(folder.file("clip.mp4")));
    fs::copy(folder.file("a.y4m"), folder.file("A.Y4M"));
    CHECK(all_frames(*open_source(folder.file("A.Y4M"))).size() == 50);
}

TEST_CASE("video: frames that change size are an error, after the ones before it") {
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

TEST_CASE("video: Y4M there and back changes a sample by at most 2; odd sides") {
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
}

TEST_CASE("video: without a matrix, high definition is BT.709, and less is BT.601") {
    NEEDS_FFMPEG();
    const Folder folder;
    for (const auto& [size, matrix] : {std::pair{"1280x720", "bt709"}, {"720x576", "bt601"}}) {
        const std::string path = folder.file("colour.y4m");
        REQUIRE(run(kFfmpeg + "-f lavfi -i color=0xC81E3C:s=" + size +
                    ":d=0.04,format=rgb24 -vf scale=out_color_matrix=" + matrix +
                    " -pix_fmt yuv444p " + path) == 0);
        const auto frames = all_frames(*open_source(path));
        REQUIRE(frames.size() == 1);
        const auto* pixel = frames[0].data<std::uint8_t>();
        INFO(size << ": " << int{pixel[0]} << ' ' << int{pixel[1]} << ' ' << int{pixel[2]});
        CHECK((std::abs(pixel[0] - 0xC8) <= 2 && std::abs(pixel[1] - 0x1E) <= 2));
        for (const char* ending : {"y4m", "webm", "avi", "mp4"}) {
            const std::string copy = folder.file(std::string("copy.") + ending);
            write_clip(copy, frames);
            INFO(ending);
            CHECK(largest_difference(all_frames(*open_source(copy))[0], frames[0]) <= 4);
        }
    }
}

TEST_CASE("video: a clip that begins without a key frame; sound, HDR: a note each") {
    NEEDS_FFMPEG();
    const Folder folder;
    write_clip(folder.file("a.y4m"), moving(96, 64, 50));
    REQUIRE(run(kFfmpeg + "-i " + folder.file("a.y4m") + " -c:v libx264 -g 25 " +
                folder.file("whole.ts")) == 0);
    CHECK(open_source(folder.file("whole.ts"))->note().empty());
    constexpr std::size_t kPacket = 188;
    spill(folder.file("middle.ts"), slurp(folder.file("whole.ts")).substr(20 * kPacket));
    const auto source = open_source(folder.file("middle.ts"));
    says(source->note(), {"does not begin with a key frame"});
    std::string error;
    CHECK(all_frames(*source, &error).size() == 25);
    CHECK(error.empty());
    REQUIRE(run(kFfmpeg + "-i " + folder.file("a.y4m") + " -f lavfi -i sine=d=1 " +
                folder.file("loud.mp4")) == 0);
    CHECK(open_source(folder.file("loud.mp4"))->note() == "Its sound is left out.");
    REQUIRE(run(kFfmpeg + "-i " + folder.file("a.y4m") +
                " -c:v libx264 -x264-params transfer=smpte2084 " + folder.file("hdr.mp4")) == 0);
    says(open_source(folder.file("hdr.mp4"))->note(), {"It is HDR", "not converted"});
}

TEST_CASE("video: what the user's environment asks of ffmpeg changes no message") {
    NEEDS_FFMPEG();
    const Folder folder;
    spill(folder.file("x.mp4"), "no video");
    ::setenv("AV_LOG_FORCE_COLOR", "1", 1);
    ::setenv("FFREPORT", ("file=" + folder.file("report.log")).c_str(), 1);
    const std::string error = refusal([&] { open_source(folder.file("x.mp4")); });
    ::unsetenv("AV_LOG_FORCE_COLOR");
    ::unsetenv("FFREPORT");
    CHECK(error.find('\x1b') == std::string::npos);
    CHECK_FALSE(fs::exists(folder.file("report.log")));
}

TEST_CASE("video: a cut or empty Y4M gives its whole frames, then one message") {
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
    std::string error;
    spill(path, whole.substr(0, whole.size() - 3 * kFrame));
    CHECK(all_frames(*open_source(path), &error).empty());
    says(error, {path, "no frames"});
    spill(path, "");
    says(refusal([&] { open_source(path); }), {path, "is empty"});
    CHECK(no_children());
}

TEST_CASE("video: a picture that is no PNG becomes one with the command that the message names") {
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
    const std::string ffmpeg = "ffmpeg -loglevel error -loop 1 -i " + folder.file("picture.png");
    const std::string heif = "heif-enc -q 90 " + folder.file("picture.png") + " -o";
    for (const auto& [command, ending, is_needed] :
         {std::tuple{ffmpeg + " -frames:v 1", "jpg", true},
          {ffmpeg + " -frames:v 1", "bmp", true},
          {ffmpeg + " -frames:v 1", "tif", true},
          {ffmpeg + " -frames:v 2", "gif", true},  // the first picture is taken
          {ffmpeg + " -frames:v 1", "webp", false},
          {ffmpeg + " -frames:v 1", "avif", false},
          {heif, "heic", false}}) {
        INFO(ending);
        if (!is_made(command, ending)) {
            CHECK_FALSE(is_needed);
            WARN("Not tested here, since no program makes one: " << ending);
            continue;
        }
        const std::string in = folder.file(std::string("in.") + ending);
        REQUIRE(follow(refusal([&] { read_png(in); }), folder) == 0);
        CHECK(psnr(read_png(folder.file("out.png")).colour, picture) > 20);
        fs::remove(folder.file("out.png"));
    }
}

TEST_CASE("video: a JPEG that is cut, also by its last byte alone") {
    NEEDS_FFMPEG();
    const Folder folder;
    write_png(folder.file("picture.png"), moving(64, 48, 1).front());
    const std::string path = folder.file("photo.jpg");
    REQUIRE(run(kFfmpeg + "-i " + folder.file("picture.png") + " " + path) == 0);
    const std::string jpeg = slurp(path);
    const std::string whole =
        jpeg.substr(0, 2) + std::string("\xFF\xFE\x00\x04\xFF\xD9", 6) + jpeg.substr(2);
    spill(path, whole);
    CHECK(PictureSource(path).photo()->colour.width() == 64);
    for (const std::size_t missing : {1, 2, 12, 200}) {
        spill(path, whole.substr(0, whole.size() - missing));
        says(refusal([&] { PictureSource{path}; }), {path, "damaged or cut"});
    }
}

TEST_CASE("a picture from a pipe, which cannot be read twice, is refused") {
    const Folder folder;
    const std::string path = folder.file("pipe.png");
    REQUIRE(::mkfifo(path.c_str(), 0600) == 0);
    says(refusal([&] { PictureSource{path}; }), {path, "is a pipe", "save"});
}

TEST_CASE("video: a cut file, no video, no file, no camera: one message each") {
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
    REQUIRE(run(kFfmpeg + "-f lavfi -i sine=duration=0.1 " + folder.file("s.wav")) == 0);
    says(refusal([&] { open_source(folder.file("s.wav")); }), {"s.wav", "contains no video"});
    says(refusal([] { open_source("987"); }), {"/dev/video987", "not there"});
    says(refusal([] { open_source("missing.mp4"); }), {"missing.mp4", "check the name"});
    says(refusal([] { open_source("nowhere://x"); }), {"Stream 'nowhere://x'", "ffmpeg says"});
    CHECK(no_children());
}

TEST_CASE("video: names without a format, frames of another size") {
    const Folder folder;
    for (const char* name : {"clip", "clip.png", "-"})
        says(refusal([&] { open_sink(folder.file(name), {4, 4, {}}); }), {name, ".mp4"});
    says(refusal([] { open_sink("", {4, 4, {}}); }), {"no name"});
    says(refusal([] { open_sink("x.y4m", {0, 4, {}}); }), {"0x4"});
    const auto sink = open_sink(folder.file("x.y4m"), {4, 4, {}});
    says(refusal([&] { sink->write(noise_frame(4, 5, 1)); }), {"x.y4m", "4x4", "4x5"});
    CHECK(folder.files() == 0);  // nothing is made before the first frame
    spill(folder.file("a.y4m"), "");
    fs::create_symlink("a.y4m", folder.path / "b.y4m");
    CHECK(is_same_file(folder.file("a.y4m"), folder.file("b.y4m")));
    CHECK_FALSE(is_same_file(folder.file("a.y4m"), folder.file("c.y4m")));
    CHECK_FALSE(is_same_file("moving", folder.file("a.y4m")));
}

TEST_CASE("video: if ffmpeg cannot write, one message; a full disk keeps what was written") {
    NEEDS_FFMPEG();
    const Folder folder;
    const auto frames = moving(320, 240, 3);
    says(refusal([&] { write_clip(folder.file("x.unknown"), frames); }),
         {"x.unknown", "ffmpeg says"});
    says(refusal([&] { write_clip("/nowhere/x.mp4", frames); }),
         {"/nowhere/x.mp4", "No such file"});
    says(refusal([&] { write_clip("/proc/nowhere/", frames); }), {"/proc/nowhere/", "ffmpeg says"});
    fs::create_symlink("/dev/full", folder.path / "full.y4m");
    says(refusal([&] { write_clip(folder.file("full.y4m"), frames); }),
         {"full.y4m", "No space left"});
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

TEST_CASE("video: a sink without finish() is a whole file, a source left early leaves no process") {
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

TEST_CASE("video: memory does not grow with the clip's length") {
    NEEDS_FFMPEG();
    const auto peak_kb = [] {
        rusage usage{};
        getrusage(RUSAGE_SELF, &usage);
        return usage.ru_maxrss;
    };
    const Folder folder;
    const std::string path = folder.file("x.y4m");
    fs::create_symlink("/dev/null", path);
    const auto source = open_source("moving", {.width = 320, .height = 240, .frames = 200});
    const auto sink = open_sink(path, source->format());
    Image frame;
    for (int i = 0; i < 5; ++i) sink->write((source->next(frame), frame));
    const auto before = peak_kb();
    while (source->next(frame)) sink->write(frame);
    CHECK(peak_kb() - before < 4 * 230);  // 195 frames of 230 kB went through
}
