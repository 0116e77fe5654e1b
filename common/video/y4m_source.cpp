// Copyright (c) 2026 The Convolab authors
// SPDX-License-Identifier: MIT
#include <cstring>
#include <vector>

#include "common/base/error.hpp"
#include "common/video/clip_file.hpp"
#include "common/video/y4m.hpp"

namespace convolab {
namespace {

constexpr std::size_t kLongestLine = 4096;  // bytes

class Y4mSource final : public FrameSource {
  public:
    explicit Y4mSource(const std::string& path) : reader_(path, "a Y4M stream") {
        std::string first;
        if (!read_line(first) && first.starts_with("YUV4MPEG2"))
            throw Error(reader_.name() + " is cut: it ends within its first line.");
        const Y4mHeader header = parse_y4m_header(reader_.name(), first);
        layout_ = header.layout;
        format_ = {layout_.width, layout_.height, header.rate};
        yuv_.resize(static_cast<std::size_t>(layout_.bytes()));
    }

    bool next(Image& frame) override {
        // "FRAME" and a line end, or parameters and a line end.
        char mark[6];
        const std::size_t got = reader_.read(mark, sizeof mark);
        if (got == 0) return false;
        if (got < sizeof mark) throw cut();
        if (std::memcmp(mark, "FRAME", 5) != 0 || (mark[5] != '\n' && mark[5] != ' '))
            throw Error(reader_.name() + " is damaged after frame " + std::to_string(frames_) +
                        ": the next frame does not begin with FRAME.");
        std::string parameters;
        if (mark[5] == ' ' && !read_line(parameters)) throw cut();
        if (reader_.read(yuv_.data(), yuv_.size()) < yuv_.size()) throw cut();
        fit(frame);
        yuv_to_rgb(yuv_.data(), layout_, frame);
        ++frames_;
        return true;
    }

  private:
    /// Up to the line's end; false where the stream ends before.
    bool read_line(std::string& text) const {
        for (char c = 0; reader_.read(&c, 1) == 1;) {
            if (c == '\n') return true;
            text += c;
            if (text.size() > kLongestLine)
                throw Error(reader_.name() + " is not Y4M or is damaged.");
        }
        return false;
    }
    Error cut() const {
        return Error(reader_.name() + " is cut: it ends within frame " +
                     std::to_string(frames_ + 1) + "; the frames before it are whole.");
    }

    ClipReader reader_;
    YuvLayout layout_;
    std::vector<std::uint8_t> yuv_;  ///< one frame
    std::int64_t frames_ = 0;        ///< read so far
};

}  // namespace

std::unique_ptr<FrameSource> open_y4m_source(const std::string& path) {
    return std::make_unique<Y4mSource>(path);
}

}  // namespace convolab
