// SPDX-License-Identifier: MIT
// Clips of any format through the program ffmpeg (5.1 or later) and a pipe of raw RGB frames. Each
// coded frame comes once, whatever its time stamp; colours are converted by ffmpeg. Y4M (YUV4MPEG2,
// the usual format of video programs in a pipe) goes through it too: it is written with 8 bits,
// 4:4:4, limited range, BT.601. ffmpeg reads gray Y4M as full range.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "common/video/video.hpp"

namespace convolab {

/// A file, or a stream such as rtsp://host/name. Throws Error.
std::unique_ptr<FrameSource> open_ffmpeg_source(const std::string& name);

/// Y4M from standard input. A stream that ends within a frame is a shorter clip. Throws Error.
std::unique_ptr<FrameSource> open_standard_input();

/// A camera by its device: /dev/video0. Throws Error.
std::unique_ptr<FrameSource> open_camera(const std::string& device);

/// The file's ending tells the format; "-" is Y4M on standard output. mp4, m4v, mov and mkv contain
/// H.264, in pieces of two seconds: where the disk is full or ffmpeg is killed, all but the last
/// piece stays readable. Throws Error.
std::unique_ptr<FrameSink> open_ffmpeg_sink(const std::string& path, const VideoFormat& format);

/// Of Y4M: what ffprobe has to be given, because standard input can be read only once. Throws Error
/// for what is not Y4M.
std::string first_line_of_standard_input();

/// ffmpeg takes a Y4M file that ends within a frame for a shorter one, and says nothing. Throws
/// Error for it.
void require_whole_frames(const std::string& path, std::int64_t frame_bytes);

/// What frames of 8-bit RGB do not keep: a sentence for each, of ffprobe's words for the pixels'
/// format, the order of the fields and the pixels' shape.
std::string losses(const std::string& pixel_format, const std::string& field_order,
                   const std::string& sample_aspect_ratio);

/// Whether a Y4M file gives no rate in its first line, or Y4M with this first line does not; false
/// for other formats.
bool lacks_rate(const std::string& y4m_file, std::string first_line);

/// The words of a command line, at its spaces.
std::vector<std::string> words_of(const std::string& command);

/// Why ffmpeg failed: "ffmpeg says '...'" with the first of its messages, which is the cause; where
/// it said nothing, how it ended.
std::string ffmpeg_reason(const std::string& messages, int exit_code);

/// The sentence for a missing program. `what` needs it: "File 'a.mp4'".
std::string ffmpeg_is_missing(const std::string& what, const std::string& program);

}  // namespace convolab
