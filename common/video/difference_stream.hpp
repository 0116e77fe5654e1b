// Copyright (c) 2026 The Convolab authors
// SPDX-License-Identifier: MIT
//
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
// The two counts of a run have 7 bits per byte, the lowest first, and bit 7 where another byte
// follows. A pixel has changed where one of its samples differs from that of the receiver by more
// than the threshold. The receiver's pixels, not those of the frame before, are what a frame is
// compared with: slow changes add up until they are sent, so the receiver is never wrong by more
// than the threshold. With threshold 0 it has the same frames.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

#include "common/video/clip_file.hpp"
#include "common/video/video.hpp"

namespace convolab {

/// Reads a stream; "-" is standard input. Takes memory as the bytes arrive, for two frames at most.
/// Throws Error for what is no difference stream; next() where it is damaged or has no end.
std::unique_ptr<FrameSource> open_difference_source(const std::string& path);

/// Makes the stream's bytes. Has two frames in memory.
class DifferenceEncoder {
  public:
    /// threshold: 0..255.
    DifferenceEncoder(const VideoFormat& format, int threshold);

    struct Bytes {
        const std::uint8_t* data;
        std::size_t size;
    };
    /// The bytes of the next part of the stream; valid until the next call.
    Bytes head();
    Bytes frame(const Image& frame);
    Bytes end();

    const Image& receiver() const { return receiver_; }  ///< what the receiver shows
    std::int64_t frames() const { return frames_; }
    std::int64_t bytes() const { return bytes_; }              ///< made so far
    std::int64_t sent_pixels() const { return sent_pixels_; }  ///< without the first frame

  private:
    void put_differences(const std::uint8_t* frame);
    Bytes with_check();

    VideoFormat format_;
    int threshold_;
    Image receiver_;
    std::unique_ptr<std::uint8_t[]> part_;
    std::uint8_t* end_;  ///< of what part_ has
    std::uint32_t check_ = 0;
    std::int64_t frames_ = 0, bytes_ = 0, sent_pixels_ = 0;
};

/// Writes a stream; "-" is standard output. finish() writes its end.
class DifferenceSink final : public FrameSink {
  public:
    /// threshold: 0..255. Throws Error.
    DifferenceSink(const std::string& path, const VideoFormat& format, int threshold);

    void write(const Image& frame) override;
    void finish() override;

    const DifferenceEncoder& encoder() const { return encoder_; }

  private:
    std::string path_;
    VideoFormat format_;
    ClipWriter writer_;
    DifferenceEncoder encoder_;
};

// What both sides share.
inline constexpr char kDifferenceMagic[] = "CVLBDIF1";
inline constexpr std::size_t kDifferenceHead = 8 + 5 * 4;     ///< bytes, without the check
inline constexpr std::uint32_t kDifferenceEnd = 0xFFFFFFFFU;  ///< in the place of a length
/// No frame is longer. The two counts of a run are shorter than the unchanged pixel before it, but
/// for the first run and for runs of over 2^14 pixels.
constexpr std::int64_t longest_difference(std::int64_t pixels) {
    return 3 * pixels + pixels / 8192 + 16;
}

}  // namespace convolab
