// SPDX-License-Identifier: MIT
#include <sys/resource.h>

#include "common/image/png.hpp"
#include "common/video/video.hpp"
#include "tests/video_kit.hpp"

using namespace convolab;
using namespace convolab::test;
namespace fs = std::filesystem;

TEST_CASE("video folder: what is written is read back") {
    const Folder folder;
    const std::string clip = folder.file("a new folder") + "/";
    const auto frames = list(noise_frame(7, 5, 1), noise_frame(7, 5, 2), noise_frame(7, 5, 3));
    write_clip(clip, frames);
    CHECK(fs::exists(clip + "frame_000001.png"));
    const auto source = open_source(clip);
    CHECK(source->format().width == 7);
    CHECK(source->format().height == 5);
    const auto back = all_frames(*source);
    REQUIRE(back.size() == 3);
    for (std::size_t i = 0; i < 3; ++i) CHECK(same(back[i], frames[i]));
    CHECK(source->note().empty());
    says(refusal([&] { open_sink(clip, {7, 5, {}}); }), {"a new folder", "PNG files already"});
}

TEST_CASE("video folder: names in the order of their numbers") {
    const std::vector<std::vector<std::string>> orders = {
        {"frame9.png", "frame10.png", "frame100.png"},
        {"frame_0009.png", "frame_0010.png", "frame_0100.png"},
        {"2.png", "10.png", "a2b10.png", "a10b2.png"},
        {"1_9.png", "1_10.png", "2_1.png"}};
    for (const auto& names : orders) {
        const Folder folder;
        for (std::size_t i = names.size(); i-- > 0;)
            write_png(folder.file(names[i]), noise_frame(2, 2, i));
        const auto frames = all_frames(*open_source(folder.path.string()));
        REQUIRE(frames.size() == names.size());
        for (std::size_t i = 0; i < frames.size(); ++i)
            CHECK(same(frames[i], noise_frame(2, 2, i)));
    }
}

TEST_CASE("video folder: hidden files are no frames; a damaged frame is noted") {
    const Folder folder;
    const std::string clip = folder.path.string();
    spill(folder.file("._f1.png"), "Mac OS X");
    spill(folder.file(".DS_Store"), "Bud1");
    says(refusal([&] { open_source(clip); }), {"no PNG files"});
    write_clip(clip, list(noise_frame(4, 4, 1)));
    const std::string bytes = slurp(folder.file("frame_000001.png"));
    spill(folder.file("frame_2.png"), bytes.substr(0, 33) + chunk("tRNS", "x") + bytes.substr(33));
    const auto source = open_source(clip);
    CHECK(all_frames(*source).size() == 2);
    says(source->note(), {"frame_2.png", "tRNS"});
}

TEST_CASE("video folder: gray and alpha become RGB, with a note") {
    const Folder folder;
    Image gray(3, 2, 1), alpha(3, 2, 1);
    for (int x = 0; x < 3; ++x) gray.set_value(x, 1, 0, 50 * x);
    write_png(folder.file("1.png"), gray);
    write_png(folder.file("2.png"), gray, alpha);
    const auto source = open_source(folder.path.string());
    const auto frames = all_frames(*source);
    REQUIRE(frames.size() == 2);
    CHECK(same(frames[0], frames[1]));
    for (int c = 0; c < 3; ++c) CHECK(frames[0].value(2, 1, c) == 100);
    says(source->note(), {"2.png", "Alpha was dropped"});
}

TEST_CASE(
    "video folder: another size, a damaged file, no file: one sentence, the frames before are "
    "whole") {
    const Folder folder;
    const std::string clip = folder.path.string();
    says(refusal([&] { open_source(clip); }), {clip, "no PNG files"});
    write_png(folder.file("1.png"), noise_frame(4, 4, 1));
    write_png(folder.file("2.png"), noise_frame(4, 5, 1));
    std::string error;
    CHECK(all_frames(*open_source(clip), &error).size() == 1);
    says(error, {"2.png", "4x5", "4x4"});
    const std::string bytes = slurp(folder.file("1.png"));
    spill(folder.file("2.png"), bytes.substr(0, bytes.size() / 2));
    CHECK(all_frames(*open_source(clip), &error).size() == 1);
    says(error, {"2.png", "damaged"});
}

TEST_CASE("video: names without a format, frames of another size") {
    const Folder folder;
    for (const char* name : {"clip", "clip.png"})
        says(refusal([&] { open_sink(folder.file(name), {4, 4, {}}); }), {name, ".mp4"});
    says(refusal([] { open_sink("", {4, 4, {}}); }), {"no name"});
    says(refusal([] { open_sink("x.y4m", {0, 4, {}}); }), {"0x4"});
    says(refusal([] { open_source("missing.mp4"); }), {"missing.mp4", "check the name"});
    const auto sink = open_sink(folder.file("x.y4m"), {4, 4, {}});
    says(refusal([&] { sink->write(noise_frame(4, 5, 1)); }), {"x.y4m", "4x4", "4x5"});
    CHECK(folder.files() == 0);  // nothing is made before the first frame
    spill(folder.file("a.y4m"), "");
    fs::create_symlink("a.y4m", folder.path / "b.y4m");
    CHECK(is_same_file(folder.file("a.y4m"), folder.file("b.y4m")));
    CHECK_FALSE(is_same_file(folder.file("a.y4m"), folder.file("c.y4m")));
    CHECK_FALSE(is_same_file("moving", folder.file("a.y4m")));
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
