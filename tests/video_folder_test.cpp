// SPDX-License-Identifier: MIT
// Folders of PNG files through the program ffmpeg; skipped if it is not installed.
#include "common/media/png.hpp"
#include "tests/video_kit.hpp"

using namespace convolab;
using namespace convolab::test;
namespace fs = std::filesystem;

TEST_CASE("video folder: PNG files and a lossless file come back exactly; any name") {
    NEEDS_FFMPEG();
    const Folder folder;
    for (const std::string name : {"pictures", "a:b 100% [c]{d}*?\\'"}) {
        INFO(name);
        const std::string in = folder.file(name) + "/";
        const auto frames = list(noise_frame(33, 17, 1), noise_frame(33, 17, 2));
        write_clip(in, frames);
        CHECK(fs::exists(in + "frame_000001.png"));
        const auto back = all_frames(*open_source(in));
        REQUIRE(back.size() == 2);
        for (std::size_t i = 0; i < 2; ++i) CHECK(same(back[i], frames[i]));
        says(refusal([&] { open_sink(in, {33, 17, {}}); }), {name, "PNG files already"});

        REQUIRE(run("ffmpeg -loglevel error -framerate 30000/1001 -i " +
                    folder.file("pictures/frame_%06d.png") + " -c:v ffv1 -pix_fmt bgr0 " +
                    folder.file("x.mkv")) == 0);
        fs::rename(folder.file("x.mkv"), folder.file(name + ".mkv"));
        const auto source = open_source(folder.file(name + ".mkv"));
        CHECK(source->format().rate.numerator == 30000);
        CHECK(source->format().rate.denominator == 1001);
        const auto lossless = all_frames(*source);
        REQUIRE(lossless.size() == 2);
        for (std::size_t i = 0; i < 2; ++i) CHECK(same(lossless[i], frames[i]));
    }
    CHECK(no_children());
}

TEST_CASE("video folder: names in a folder in alphabetical order; hidden files are no frames") {
    NEEDS_FFMPEG();
    const Folder folder;
    spill(folder.file("._f1.png"), "Mac OS X");
    spill(folder.file(".DS_Store"), "Bud1");
    says(refusal([&] { open_source(folder.path.string()); }), {"no PNG files"});
    const std::vector<std::string> names = {"f_0009.png", "f_0010.PNG", "f_0100.png"};
    for (std::size_t i = names.size(); i-- > 0;)
        write_png(folder.file(names[i]), noise_frame(2, 2, i));
    const auto frames = all_frames(*open_source(folder.path.string()));
    REQUIRE(frames.size() == 3);
    for (std::size_t i = 0; i < 3; ++i) CHECK(same(frames[i], noise_frame(2, 2, i)));
}

TEST_CASE("video folder: gray and alpha become RGB") {
    NEEDS_FFMPEG();
    const Folder folder;
    Image gray(3, 2, 1), alpha(3, 2, 1);
    for (int x = 0; x < 3; ++x) gray.set_value(x, 1, 0, 50 * x);
    write_png(folder.file("1.png"), gray);
    write_png(folder.file("2.png"), gray, alpha);
    const auto frames = all_frames(*open_source(folder.path.string()));
    REQUIRE(frames.size() == 2);
    CHECK(same(frames[0], frames[1]));
    for (int c = 0; c < 3; ++c) CHECK(frames[0].value(2, 1, c) == 100);
}

TEST_CASE(
    "video folder: another size, a damaged and an empty file in a folder: one sentence each") {
    NEEDS_FFMPEG();
    const Folder folder;
    const std::string clip = folder.path.string();
    write_clip(clip, list(noise_frame(64, 48, 1), noise_frame(64, 48, 2), noise_frame(64, 48, 3)));
    write_png(folder.file("frame_000004.png"), noise_frame(64, 50, 1));
    std::string error;
    CHECK(all_frames(*open_source(clip), &error).size() <= 3);
    says(error, {clip, "changes the size", "64x48"});
    const std::string bytes = slurp(folder.file("frame_000003.png"));
    spill(folder.file("frame_000004.png"), bytes.substr(0, bytes.size() / 2));
    CHECK(all_frames(*open_source(clip), &error).size() <= 4);
    says(error, {clip, "damaged", "ffmpeg says"});
    spill(folder.file("frame_000004.png"), "");
    CHECK(all_frames(*open_source(clip), &error).size() == 3);
    says(error, {clip, "cut", "frame 4"});
    CHECK(no_children());
}
