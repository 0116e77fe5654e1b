// SPDX-License-Identifier: MIT
// Helpers of the tests of the clips of common/media: frames to write, and checks of what is read back.
#pragma once

#include <sys/wait.h>

#include <cerrno>
#include <string>
#include <system_error>
#include <vector>

#include "common/base/random_bits.hpp"
#include "common/media/child_process.hpp"
#include "common/media/ffmpeg.hpp"
#include "common/media/video.hpp"
#include "tests/kit.hpp"

namespace convolab::test {

inline Image noise_frame(std::int64_t width, std::int64_t height, std::uint64_t seed) {
    Image image(width, height, 3);
    for (std::int64_t i = 0; i < image.samples(); ++i)
        image.data<std::uint8_t>()[i] = static_cast<std::uint8_t>(
            random_bits(seed * kRandomStep + static_cast<std::uint64_t>(i)) >> 56);
    return image;
}

template <class... Images>
std::vector<Image> list(Images... images) {
    std::vector<Image> all;
    (all.push_back(std::move(images)), ...);
    return all;
}

/// All frames of a source; `error` gets the error message that ended it, if any.
inline std::vector<Image> all_frames(FrameSource& source, std::string* error = nullptr) {
    std::vector<Image> frames;
    const std::string sentence = refusal([&] {
        for (Image frame; source.next(frame);) frames.push_back(frame.copy());
    });
    if (error) *error = sentence;
    if (!error) CHECK(sentence.empty());
    return frames;
}

inline void write_clip(const std::string& name, const std::vector<Image>& frames) {
    const auto sink = open_sink(name, {frames.front().width(), frames.front().height(), {}});
    for (const auto& frame : frames) sink->write(frame);
    sink->finish();
}

inline int run(const std::string& command) {
    ChildProcess child(words_of(command), ChildProcess::Pipe::from_child);
    std::string said(1 << 16, '\0');  // read, or a program that says something is ended by it
    child.read(said.data(), said.size());
    return child.finish();
}

inline bool has_ffmpeg() {
    try {
        return run("ffmpeg -version") >= 0 && run("ffprobe -version") >= 0;
    } catch (const std::system_error&) {
        return false;
    }
}
#define NEEDS_FFMPEG() \
    if (!has_ffmpeg()) SKIP_TEST("ffmpeg is not installed (tools/setup.sh ffmpeg)")

/// No child is left, running or dead.
inline bool no_children() { return ::waitpid(-1, nullptr, WNOHANG) == -1 && errno == ECHILD; }

}  // namespace convolab::test
