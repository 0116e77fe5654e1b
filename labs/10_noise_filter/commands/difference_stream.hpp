// SPDX-License-Identifier: MIT
// A clip as its first frame and the pixels that change after it.
//
// The format. Numbers have four bytes, the lowest first. A check is the CRC-32, as in PNG, of all
// bytes of the stream before it, without the checks between them.
//
//   head     8 bytes     "CVLBDIF1"
//            5 numbers   width, height, frame rate as numerator and denominator, threshold 0..255
//            check
//   frame    number      the length of what follows, in bytes
//            bytes       the first frame: R, G, B of each pixel, row by row
//                        the others: for each run of changed pixels, in their order,
//                          how many pixels before it did not change
//                          how many did, at least 1
//                          R, G, B of each of these
//            check
//            ... one after the other ...
//   end      number      0xFFFFFFFF
//            check
//
// The two counts of a run have 7 bits per byte, the lowest first, and bit 7 is set if another byte
// follows. A pixel has changed if one of its samples differs from the receiver's by more than the
// threshold. A frame is compared with the receiver's pixels, not with the frame before: slow
// changes add up until they are sent, so the receiver is never wrong by more than the threshold.
// With threshold 0 it has the same frames.
#pragma once

#include <cstdint>
#include <cstdio>
#include <memory>
#include <string>
#include <vector>

#include "common/media/video.hpp"

namespace convolab::noise_filter {

/// Reads a stream; "-" is standard input. It needs memory as the bytes arrive, for two frames at
/// most. Throws Error for what is no difference stream; next() throws if it is damaged or has no
/// end.
std::unique_ptr<FrameSource> open_difference_source(const std::string& path);

/// Makes the stream's bytes. Has two frames in memory.
class DifferenceEncoder {
  public:
    /// threshold: 0..255.
    DifferenceEncoder(const VideoFormat& format, int threshold);

    using Bytes = std::vector<std::uint8_t>;
    /// The next part of the stream; valid until the next call.
    const Bytes& head();
    const Bytes& frame(const Image& frame);
    const Bytes& end();

    const Image& receiver() const { return receiver_; }  ///< what the receiver shows
    std::int64_t frames() const { return frames_; }
    std::int64_t bytes() const { return bytes_; }              ///< made so far
    std::int64_t sent_pixels() const { return sent_pixels_; }  ///< without the first frame

  private:
    void put_differences(const std::uint8_t* frame);
    const Bytes& with_check();

    VideoFormat format_;
    int threshold_;
    Image receiver_;
    Bytes part_;
    std::uint32_t check_ = 0;
    std::int64_t frames_ = 0, bytes_ = 0, sent_pixels_ = 0;
};

/// A C library's file that closes itself.
using File = std::unique_ptr<std::FILE, int (*)(std::FILE*)>;

/// Writes a stream; "-" is standard output. The file is made by the first frame; finish() writes
/// the stream's end. Throws Error.
class DifferenceSink {
  public:
    /// threshold: 0..255.
    DifferenceSink(const std::string& path, const VideoFormat& format, int threshold);

    void write(const Image& frame);
    void finish();

    const DifferenceEncoder& encoder() const { return encoder_; }

  private:
    void put(const DifferenceEncoder::Bytes& bytes);
    [[noreturn]] void fail() const;

    std::string path_;
    File file_;
    std::int64_t frames_ = 0;  ///< written
    DifferenceEncoder encoder_;
};

// What both sides share.
inline constexpr char kDifferenceMagic[] = "CVLBDIF1";
inline constexpr std::uint32_t kDifferenceEnd = 0xFFFFFFFFU;  ///< in the place of a length
/// No frame is longer, in bytes. The two counts of a run are shorter than the unchanged pixel
/// before it, except for the first run and for runs of over 2^14 pixels.
constexpr std::int64_t longest_difference(std::int64_t pixels) {
    return 3 * pixels + pixels / 8192 + 16;
}

}  // namespace convolab::noise_filter
