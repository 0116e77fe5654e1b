// SPDX-License-Identifier: MIT
// Clips through the program ffmpeg (5.1 or later) and a pipe of raw RGB frames. Each coded frame
// comes once, whatever its time stamp; colours are converted by ffmpeg.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "common/media/child_process.hpp"
#include "common/media/video.hpp"

namespace convolab {

/// A camera (0 or /dev/video0), a folder of PNG files, a stream such as rtsp://host/name, or a
/// file. Throws Error.
std::unique_ptr<FrameSource> open_ffmpeg_source(const std::string& name);

/// A folder of PNG files (it exists, or its name ends in /), or a file whose ending tells the
/// format. mp4, m4v, mov and mkv contain H.264, in pieces of two seconds: where the disk is full or
/// ffmpeg is killed, all but the last piece stays readable. Throws Error.
std::unique_ptr<FrameSink> open_ffmpeg_sink(const std::string& name, const VideoFormat& format);

/// ffmpeg with these options, separated by spaces, and the path of its output. `what` begins the
/// sentences of errors: "File 'a.mp4'". The first write() throws Skipped without ffmpeg.
std::unique_ptr<FrameSink> open_encoder(const std::string& what, const std::string& options,
                                        const std::string& path, const VideoFormat& format);

/// By its first bytes.
bool is_jpeg(const std::string& path);

/// PNG files that are not hidden; 0 if there is no such folder.
std::int64_t count_pictures(const std::string& folder);

/// Starts ffmpeg or ffprobe. Throws Skipped if it is not installed, Error if it cannot be started.
std::unique_ptr<ChildProcess> start_program(const std::string& what,
                                            const std::vector<std::string>& command,
                                            ChildProcess::Pipe pipe);

/// The words of a command line, at its spaces.
std::vector<std::string> words_of(const std::string& command);

/// Why ffmpeg failed: "ffmpeg says '...'" with the first of its messages, which is the cause; where
/// it said nothing, how it ended.
std::string ffmpeg_reason(const std::string& messages, int exit_code);

}  // namespace convolab
