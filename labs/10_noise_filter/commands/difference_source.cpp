// SPDX-License-Identifier: MIT
#include <zlib.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "common/base/error.hpp"
#include "labs/10_noise_filter/commands/difference_stream.hpp"

namespace convolab::noise_filter {
namespace {

constexpr std::size_t kHead = 8 + 5 * 4;  // bytes

std::uint32_t number_at(const std::uint8_t* bytes) {
    return bytes[0] | bytes[1] << 8 | bytes[2] << 16 | std::uint32_t{bytes[3]} << 24;
}

class DifferenceSource final : public FrameSource {
  public:
    explicit DifferenceSource(const std::string& path)
        : name_(path == "-" ? "Standard input" : "File '" + path + "'"),
          file_(path == "-" ? stdin : std::fopen(path.c_str(), "rb"), std::fclose) {
        if (!file_)
            throw Error(name_ + " cannot be read: " + std::strerror(errno) + "; check the name.");
        if (!read(kHead) || std::memcmp(part_.data(), kDifferenceMagic, 8) != 0)
            throw Error(name_ +
                        " is not a difference stream: it does not begin as `lab stream` writes.");
        if (!check_fits()) throw Error(name_ + " is damaged: its head.");
        const auto number = [&](std::size_t i) {
            return std::int64_t{number_at(part_.data() + 8 + 4 * i)};
        };
        format_ = {number(0), number(1), {number(2), number(3)}};
        require_frame_size(name_, format_.width, format_.height);
        if (format_.rate.numerator == 0 || format_.rate.denominator == 0 || number(4) > 255)
            throw Error(name_ + " is damaged: its frame rate or its threshold.");
        fit(frame_);
    }

    bool next(Image& frame) override {
        if (ended_) return false;
        if (!read(4)) throw cut(part_.empty() ? "it has no end mark" : "it ends within a frame");
        const std::uint32_t length = number_at(part_.data());
        if (length == kDifferenceEnd) return end();
        const std::int64_t pixels = frame_.pixels();
        if (frames_ == 0 ? length != 3 * pixels : length > longest_difference(pixels))
            throw damaged("the length of the next frame");
        if (!read(length)) throw cut("it ends within a frame");
        if (!check_fits()) throw damaged("the next frame");
        if (frames_ == 0)
            std::memcpy(frame_.raw(), part_.data(), part_.size());
        else if (!apply_runs())
            throw damaged("a run of pixels of the next frame");
        ++frames_;
        fit(frame);
        std::memcpy(frame.raw(), frame_.raw(), frame_.bytes());
        return true;
    }

  private:
    bool end() {
        if (!check_fits()) throw damaged("its end mark");
        if (frames_ == 0) throw Error(name_ + " contains no frames.");
        ended_ = true;
        return false;
    }

    /// The next part of the stream, a piece at a time: its size may be a lie.
    bool read(std::size_t size) {
        constexpr std::size_t kPiece = 1 << 20;
        part_.clear();
        while (part_.size() < size) {
            const std::size_t before = part_.size(), piece = std::min(kPiece, size - before);
            part_.resize(before + piece);
            const std::size_t got = std::fread(part_.data() + before, 1, piece, file_.get());
            part_.resize(before + got);
            if (got < piece) return false;
        }
        check_ = static_cast<std::uint32_t>(::crc32_z(check_, part_.data(), part_.size()));
        return true;
    }

    /// Reads the check that follows the part.
    bool check_fits() {
        std::uint8_t stored[4];
        if (std::fread(stored, 1, 4, file_.get()) < 4) throw cut("it ends within a check");
        return number_at(stored) == check_;
    }

    /// Puts the part's runs into the frame. False if one does not fit, because no number in the
    /// file can be trusted.
    bool apply_runs() {
        auto* pixel = frame_.data<std::uint8_t>();
        std::int64_t left = frame_.pixels();
        for (std::size_t at = 0; at < part_.size();) {
            std::int64_t same = 0, changed = 0;
            if (!count(at, same) || same > left) return false;
            if (!count(at, changed) || changed < 1 || changed > left - same) return false;
            const auto size = static_cast<std::size_t>(3 * changed);
            if (part_.size() - at < size) return false;
            std::memcpy(pixel + 3 * same, part_.data() + at, size);
            at += size;
            pixel += 3 * (same + changed);
            left -= same + changed;
        }
        return true;
    }

    bool count(std::size_t& at, std::int64_t& value) const {
        for (int shift = 0; at < part_.size() && shift < 35; shift += 7) {
            value |= std::int64_t{part_[at] & 127} << shift;
            if (part_[at++] < 128) return true;
        }
        return false;
    }

    Error cut(const char* how) { return trouble(std::string(" is cut: ") + how); }
    Error damaged(const char* what) { return trouble(std::string(" is damaged: ") + what); }
    Error trouble(const std::string& what) {
        ended_ = true;  // what follows cannot be trusted
        return Error(name_ + what + "; the " + std::to_string(frames_) +
                     " frames before are whole.");
    }

    std::string name_;
    File file_;
    std::vector<std::uint8_t> part_;
    Image frame_;  ///< what is shown
    std::uint32_t check_ = 0;
    std::int64_t frames_ = 0;  ///< read so far
    bool ended_ = false;
};

}  // namespace

std::unique_ptr<FrameSource> open_difference_source(const std::string& path) {
    return std::make_unique<DifferenceSource>(path);
}

}  // namespace convolab::noise_filter
