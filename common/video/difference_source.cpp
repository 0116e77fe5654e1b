// Copyright (c) 2026 The Convolab authors
// SPDX-License-Identifier: MIT
#include <zlib.h>

#include <algorithm>
#include <cstring>
#include <vector>

#include "common/base/error.hpp"
#include "common/video/difference_stream.hpp"

namespace convolab {
namespace {

constexpr std::size_t kPiece = 1 << 20;  // bytes that are read at a time

std::uint32_t number_at(const std::uint8_t* bytes) {
    return bytes[0] | bytes[1] << 8 | bytes[2] << 16 | std::uint32_t{bytes[3]} << 24;
}

/// A frame's runs, one after the other. Nothing is believed: each answer says whether it fits.
class Runs {
  public:
    Runs(const std::vector<std::uint8_t>& bytes, std::int64_t pixels)
        : at_(bytes.data()), end_(at_ + bytes.size()), pixels_(pixels) {}

    bool at_end() const { return at_ == end_; }
    /// Puts the next run's pixels into `frame`.
    bool apply(std::uint8_t* frame) {
        std::int64_t same = 0, changed = 0;
        if (!count(same) || same > pixels_ - done_) return false;
        if (!count(changed) || changed < 1 || changed > pixels_ - done_ - same) return false;
        if (end_ - at_ < 3 * changed) return false;
        std::copy_n(at_, 3 * changed, frame + 3 * (done_ + same));
        at_ += 3 * changed;
        done_ += same + changed;
        return true;
    }

  private:
    bool count(std::int64_t& value) {
        for (int shift = 0; at_ != end_ && shift < 35; shift += 7) {
            value |= std::int64_t{*at_ & 127} << shift;
            if (*at_++ < 128) return true;
        }
        return false;
    }

    const std::uint8_t* at_;
    const std::uint8_t* end_;
    std::int64_t pixels_, done_ = 0;
};

class DifferenceSource final : public FrameSource {
  public:
    explicit DifferenceSource(const std::string& path) : reader_(path, "a difference stream") {
        std::uint8_t head[kDifferenceHead];
        if (reader_.read(head, sizeof head) < sizeof head ||
            std::memcmp(head, kDifferenceMagic, 8) != 0)
            throw Error(reader_.name() +
                        " is not a difference stream: it does not begin as `lab stream` writes.");
        if (!check_fits(head, sizeof head)) throw Error(reader_.name() + " is damaged: its head.");
        const auto number = [&](std::size_t i) {
            return std::int64_t{number_at(head + 8 + 4 * i)};
        };
        format_ = {number(0), number(1), {number(2), number(3)}};
        require_frame_size(reader_.name(), format_.width, format_.height);
        if (format_.rate.numerator == 0 || format_.rate.denominator == 0 || number(4) > 255)
            throw Error(reader_.name() + " is damaged: its frame rate or its threshold.");
    }

    bool next(Image& frame) override {
        if (ended_) return false;
        std::uint8_t length[4];
        const std::size_t got = reader_.read(length, sizeof length);
        if (got == 0) throw cut("it has no end mark");
        if (got < sizeof length) throw cut("it ends within a frame");
        if (number_at(length) == kDifferenceEnd) return end(length);
        read_body(length);
        take_body();
        ++frames_;
        fit(frame);
        std::memcpy(frame.raw(), frame_.raw(), frame_.bytes());
        return true;
    }

  private:
    bool end(const std::uint8_t (&mark)[4]) {
        if (!check_fits(mark, sizeof mark)) throw damaged("its end mark");
        if (frames_ == 0) throw Error(reader_.name() + " contains no frames.");
        ended_ = true;
        return false;
    }
    void read_body(const std::uint8_t (&length)[4]) {
        const std::int64_t pixels = format_.width * format_.height, size = number_at(length);
        if (frames_ == 0 ? size != 3 * pixels : size > longest_difference(pixels))
            throw damaged("the length of the next frame");
        body_.clear();
        while (static_cast<std::int64_t>(body_.size()) < size) {
            const std::size_t before = body_.size();
            const std::size_t piece = std::min(kPiece, static_cast<std::size_t>(size) - before);
            body_.resize(before + piece);
            if (reader_.read(body_.data() + before, piece) < piece)
                throw cut("it ends within a frame");
        }
        check_ = static_cast<std::uint32_t>(::crc32_z(check_, length, sizeof length));
        if (!check_fits(body_.data(), body_.size())) throw damaged("the next frame");
    }
    void take_body() {
        if (frames_ == 0) {
            fit(frame_);
            std::memcpy(frame_.raw(), body_.data(), body_.size());
            return;
        }
        for (Runs runs(body_, frame_.pixels()); !runs.at_end();)
            if (!runs.apply(frame_.data<std::uint8_t>()))
                throw damaged("a run of pixels of the next frame");
    }

    /// Reads the check that follows `bytes`.
    bool check_fits(const std::uint8_t* bytes, std::size_t size) {
        std::uint8_t stored[4];
        if (reader_.read(stored, sizeof stored) < sizeof stored)
            throw cut("it ends within a check");
        check_ = static_cast<std::uint32_t>(::crc32_z(check_, bytes, size));
        return number_at(stored) == check_;
    }
    Error cut(const char* how) { return trouble(std::string(" is cut: ") + how); }
    Error damaged(const char* what) { return trouble(std::string(" is damaged: ") + what); }
    Error trouble(const std::string& what) {
        ended_ = true;  // what follows cannot be trusted
        return Error(reader_.name() + what + "; the " + std::to_string(frames_) +
                     " frames before are whole.");
    }

    ClipReader reader_;
    std::vector<std::uint8_t> body_;  ///< of one frame
    Image frame_;                     ///< what is shown
    std::uint32_t check_ = 0;
    std::int64_t frames_ = 0;  ///< read so far
    bool ended_ = false;
};

}  // namespace

std::unique_ptr<FrameSource> open_difference_source(const std::string& path) {
    return std::make_unique<DifferenceSource>(path);
}

}  // namespace convolab
