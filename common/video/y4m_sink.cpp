// Copyright (c) 2026 The Convolab authors
// SPDX-License-Identifier: MIT
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <vector>

#include "common/base/error.hpp"
#include "common/video/descriptor.hpp"
#include "common/video/y4m.hpp"

namespace convolab {
namespace {

constexpr char kMark[] = "FRAME\n";
constexpr std::size_t kMarkSize = sizeof kMark - 1;

class Y4mSink final : public FrameSink {
  public:
    Y4mSink(const std::string& path, const VideoFormat& format)
        : path_(path),
          file_(path == "-" ? "Standard output" : "File '" + path + "'"),
          format_(format),
          buffer_(kMarkSize + static_cast<std::size_t>(format.width * format.height * 3)) {
        std::memcpy(buffer_.data(), kMark, kMarkSize);
    }

    void write(const Image& frame) override {
        require_frame(path_, format_, frame);
        if (frames_ == 0) begin();
        rgb_to_yuv444(frame, buffer_.data() + kMarkSize);
        put(buffer_.data(), buffer_.size());
        ++frames_;
    }

    void finish() override {
        if (const int reason = descriptor_.close()) fail(reason);
    }

  private:
    void begin() {
        constexpr int kHow = O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC;
        descriptor_ = Descriptor(path_ == "-" ? STDOUT_FILENO : ::open(path_.c_str(), kHow, 0666));
        if (!descriptor_.is_open()) fail(errno);
        struct stat status {};
        is_file_ =
            path_ != "-" && ::fstat(descriptor_.number(), &status) == 0 && S_ISREG(status.st_mode);
        const std::string header =
            "YUV4MPEG2 W" + std::to_string(format_.width) + " H" + std::to_string(format_.height) +
            " F" + std::to_string(format_.rate.numerator) + ":" +
            std::to_string(format_.rate.denominator) + " Ip A1:1 C444 XCOLORRANGE=LIMITED\n";
        put(header.data(), header.size());
    }
    void put(const void* bytes, std::size_t size) {
        const Transfer done = write_fully(descriptor_.number(), bytes, size);
        if (done.error != 0) {
            // What does not fit is taken back, so that the file ends at its last whole frame.
            if (is_file_ && ::ftruncate(descriptor_.number(), whole_) != 0) fail(errno);
            fail(done.error);
        }
        whole_ += static_cast<off_t>(size);
    }
    [[noreturn]] void fail(int reason) const {
        const std::string why = reason == EPIPE ? "the program that reads it has ended"
                                                : std::string(std::strerror(reason));
        throw Error(file_ + " cannot be written: " + why + "; it has " + std::to_string(frames_) +
                    " whole frames.");
    }

    std::string path_;
    std::string file_;  ///< how errors begin
    VideoFormat format_;
    Descriptor descriptor_;
    bool is_file_ = false;
    off_t whole_ = 0;          ///< bytes up to the end of the last whole frame
    std::int64_t frames_ = 0;  ///< written
    std::vector<std::uint8_t> buffer_;
};

}  // namespace

std::unique_ptr<FrameSink> open_y4m_sink(const std::string& path, const VideoFormat& format) {
    if (path == "-" && ::isatty(STDOUT_FILENO) == 1)
        throw UsageError("Standard output is a terminal: send the Y4M stream to a pipe or a file.");
    if (path != "-") require_writable(path);
    return std::make_unique<Y4mSink>(path, format);
}

}  // namespace convolab
