// Copyright (c) 2026 The Convolab authors
// SPDX-License-Identifier: MIT
#include <cstring>
#include <vector>

#include "common/video/clip_file.hpp"
#include "common/video/y4m.hpp"

namespace convolab {
namespace {

constexpr char kMark[] = "FRAME\n";
constexpr std::size_t kMarkSize = sizeof kMark - 1;

class Y4mSink final : public FrameSink {
  public:
    Y4mSink(const std::string& path, const VideoFormat& format)
        : path_(path),
          writer_(path, "the Y4M stream"),
          format_(format),
          buffer_(kMarkSize + static_cast<std::size_t>(format.width * format.height * 3)) {
        std::memcpy(buffer_.data(), kMark, kMarkSize);
    }

    void write(const Image& frame) override {
        require_frame(path_, format_, frame);
        if (!writer_.is_open()) begin();
        rgb_to_yuv444(frame, buffer_.data() + kMarkSize);
        writer_.write_frame(buffer_.data(), buffer_.size());
    }

    void finish() override { writer_.close(); }

  private:
    void begin() {
        const std::string header =
            "YUV4MPEG2 W" + std::to_string(format_.width) + " H" + std::to_string(format_.height) +
            " F" + std::to_string(format_.rate.numerator) + ":" +
            std::to_string(format_.rate.denominator) + " Ip A1:1 C444 XCOLORRANGE=LIMITED\n";
        writer_.write(header.data(), header.size());
    }

    std::string path_;
    ClipWriter writer_;
    VideoFormat format_;
    std::vector<std::uint8_t> buffer_;
};

}  // namespace

std::unique_ptr<FrameSink> open_y4m_sink(const std::string& path, const VideoFormat& format) {
    return std::make_unique<Y4mSink>(path, format);
}

}  // namespace convolab
