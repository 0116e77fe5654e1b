// SPDX-License-Identifier: MIT
#include <signal.h>

#include <chrono>

#include "tests/video_kit.hpp"

using namespace convolab;
using namespace convolab::test;

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

TEST_CASE("video: if ffmpeg is not installed, the message says what to do") {
    const Folder folder;
    spill(folder.file("x.mp4"), "a clip");
    const std::string path = std::getenv("PATH");
    ::setenv("PATH", folder.path.c_str(), 1);
    const std::string reading = refusal([&] { open_source(folder.file("x.mp4")); });
    const std::string writing =
        refusal([&] { write_clip(folder.file("y.mp4"), list(noise_frame(8, 8, 1))); });
    ::setenv("PATH", path.c_str(), 1);
    says(reading, {"x.mp4", "ffprobe", "not installed", "tools/setup.sh ffmpeg"});
    says(writing, {"y.mp4", "program ffmpeg", "not installed"});
    CHECK(no_children());
}
