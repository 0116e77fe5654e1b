// Copyright (c) 2026 The Convolab authors
// SPDX-License-Identifier: MIT
#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <vector>

#include "common/base/error.hpp"
#include "common/video/descriptor.hpp"
#include "common/video/y4m.hpp"

namespace convolab {
namespace {

constexpr std::size_t kLongestLine = 4096;  // bytes

class Y4mSource final : public FrameSource {
  public:
    Y4mSource(const std::string& file, Descriptor descriptor)
        : file_(file), descriptor_(std::move(descriptor)) {
        const Y4mHeader header = parse_y4m_header(file_, line());
        layout_ = header.layout;
        format_ = {layout_.width, layout_.height, header.rate};
        yuv_.resize(static_cast<std::size_t>(layout_.bytes()));
    }

    bool next(Image& frame) override {
        // "FRAME" and a line end, or parameters and a line end.
        char mark[6];
        const std::size_t got = read(mark, sizeof mark);
        if (got == 0) return false;
        if (got < sizeof mark) throw cut();
        if (std::memcmp(mark, "FRAME", 5) != 0 || (mark[5] != '\n' && mark[5] != ' '))
            throw Error(file_ + " is damaged after frame " + std::to_string(frames_) +
                        ": the next frame does not begin with FRAME.");
        if (mark[5] == ' ') line();
        if (read(yuv_.data(), yuv_.size()) < yuv_.size()) throw cut();
        fit(frame);
        yuv_to_rgb(yuv_.data(), layout_, frame);
        ++frames_;
        return true;
    }

  private:
    std::size_t read(void* to, std::size_t size) const {
        const Transfer done = read_fully(descriptor_.number(), to, size);
        if (done.error != 0)
            throw Error(file_ + " cannot be read: " + std::strerror(done.error) + ".");
        return done.bytes;
    }
    std::string line() const {
        std::string text;
        for (char c = 0; read(&c, 1) == 1 && c != '\n';) {
            text += c;
            if (text.size() > kLongestLine) throw Error(file_ + " is not Y4M or is damaged.");
        }
        return text;
    }
    Error cut() const {
        return Error(file_ + " is cut: it ends within frame " + std::to_string(frames_ + 1) +
                     "; the frames before it are whole.");
    }

    std::string file_;  ///< how errors begin
    Descriptor descriptor_;
    YuvLayout layout_;
    std::vector<std::uint8_t> yuv_;  ///< one frame
    std::int64_t frames_ = 0;        ///< read so far
};

}  // namespace

std::unique_ptr<FrameSource> open_y4m_source(const std::string& path) {
    if (path == "-") {
        if (::isatty(STDIN_FILENO) == 1)
            throw UsageError("Standard input is a terminal: send it a Y4M stream through a pipe.");
        return std::make_unique<Y4mSource>("Standard input", Descriptor(STDIN_FILENO));
    }
    const std::string file = "File '" + path + "'";
    Descriptor descriptor(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
    if (!descriptor.is_open())
        throw Error(file + " cannot be read: " + std::strerror(errno) +
                    (errno == ENOENT ? "; check the name." : "; check its permissions."));
    return std::make_unique<Y4mSource>(file, std::move(descriptor));
}

}  // namespace convolab
