// Copyright (c) 2026 The Convolab authors
// SPDX-License-Identifier: MIT
#include <string>
#include <vector>

#include "common/base/error.hpp"
#include "common/video/clip_file.hpp"
#include "common/video/y4m.hpp"

namespace convolab {
namespace {

constexpr std::size_t kLongestLine = 4096;  // bytes
constexpr std::size_t kMarkSize = 6;

class Y4mSource final : public FrameSource {
  public:
    explicit Y4mSource(const std::string& path) : reader_(path, "a Y4M stream") {
        std::string first;
        if (!read_line(first) && first.starts_with("YUV4MPEG2"))
            throw Error(reader_.name() + " is cut: it ends within its first line.");
        const Y4mHeader header = parse_y4m_header(reader_.name(), first);
        layout_ = header.layout;
        format_ = {layout_.width, layout_.height, header.rate};
        has_rate_ = header.has_rate;
        yuv_.resize(static_cast<std::size_t>(layout_.bytes()));
        read_mark();
    }

    bool next(Image& frame) override {
        if (mark_.empty()) return false;
        if (mark_.size() < kMarkSize) throw cut();
        std::string parameters;
        if (mark_.back() == ' ' && !read_line(parameters)) throw cut();
        if (reader_.read(yuv_.data(), yuv_.size()) < yuv_.size()) throw cut();
        ++frames_;
        read_mark();  // before the frame is given on: in front of a mark, it is whole
        fit(frame);
        yuv_to_rgb(yuv_.data(), layout_, frame);
        return true;
    }

    std::string note() const override {
        return has_rate_ ? "" : "The clip gives no frame rate: 25 frames per second are assumed.";
    }

  private:
    /// "FRAME" and a line end, or a space and parameters; less where the stream ends.
    void read_mark() {
        mark_.resize(kMarkSize);
        mark_.resize(reader_.read(mark_.data(), kMarkSize));
        if (std::string("FRAME\n").starts_with(mark_) || mark_ == "FRAME ") return;
        if (frames_ == 0)
            throw Error(reader_.name() + " is damaged: no FRAME follows its first line.");
        throw Error(reader_.name() +
                    " is damaged, or its first line does not fit its frames: frame " +
                    std::to_string(frames_) + " would have " + std::to_string(yuv_.size()) +
                    " bytes, and no FRAME follows them.");
    }
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
    bool has_rate_ = false;
    std::vector<std::uint8_t> yuv_;  ///< one frame
    std::string mark_;               ///< of the next frame
    std::int64_t frames_ = 0;        ///< read so far
};

}  // namespace

std::unique_ptr<FrameSource> open_y4m_source(const std::string& path) {
    return std::make_unique<Y4mSource>(path);
}

}  // namespace convolab
