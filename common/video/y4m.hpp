// Copyright (c) 2026 The Convolab authors
// SPDX-License-Identifier: MIT
//
// Y4M (YUV4MPEG2): frames without compression after a line of text, the usual format of video
// programs in a pipe. Read: 8 bits, progressive, 4:2:0, 4:2:2, 4:1:1, 4:4:4, gray. Written: 8 bits,
// 4:4:4, limited range. yuv.hpp says how colours are converted.
#pragma once

#include <memory>
#include <string>

#include "common/video/video.hpp"
#include "common/video/yuv.hpp"

namespace convolab {

/// "-" is standard input. Throws Error for what is not Y4M, and for what is not read: more than 8
/// bits, alpha, interlaced frames. A frame is given on when the next one begins or the clip ends:
/// only then is it known to be whole.
std::unique_ptr<FrameSource> open_y4m_source(const std::string& path);

/// "-" is standard output. A file that cannot take a whole frame ends at the last whole one.
std::unique_ptr<FrameSink> open_y4m_sink(const std::string& path, const VideoFormat& format);

/// A stream's first line, without its line end.
struct Y4mHeader {
    YuvLayout layout;
    FrameRate rate;  ///< 25 per second if the stream gives none, or 0:0
    bool has_rate = false;
};

/// `file` is named in errors: "File 'a.y4m'". Throws Error.
Y4mHeader parse_y4m_header(const std::string& file, const std::string& line);

}  // namespace convolab
