// Copyright (c) 2026 The Convolab authors
// SPDX-License-Identifier: MIT
#include <zlib.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>

#include "common/video/difference_stream.hpp"

namespace convolab {
namespace {

constexpr std::size_t kLength = 4, kCheck = 4;  // bytes

std::uint8_t* put_number(std::uint8_t* to, std::uint32_t number) {
    for (int i = 0; i < 4; ++i) *to++ = static_cast<std::uint8_t>(number >> 8 * i);
    return to;
}

std::uint8_t* put_count(std::uint8_t* to, std::int64_t count) {
    for (; count >= 128; count >>= 7) *to++ = static_cast<std::uint8_t>(count | 128);
    *to++ = static_cast<std::uint8_t>(count);
    return to;
}

bool changed(const std::uint8_t* a, const std::uint8_t* b, int threshold) {
    return std::max({std::abs(a[0] - b[0]), std::abs(a[1] - b[1]), std::abs(a[2] - b[2])}) >
           threshold;
}

}  // namespace

DifferenceEncoder::DifferenceEncoder(const VideoFormat& format, int threshold)
    : format_(format),
      threshold_(threshold),
      receiver_(format.width, format.height, 3),
      part_(new std::uint8_t[kLength + kCheck + kDifferenceHead +
                             static_cast<std::size_t>(longest_difference(receiver_.pixels()))]),
      end_(part_.get()) {}

DifferenceEncoder::Bytes DifferenceEncoder::with_check() {
    const auto size = static_cast<std::size_t>(end_ - part_.get());
    check_ = static_cast<std::uint32_t>(::crc32_z(check_, part_.get(), size));
    end_ = put_number(end_, check_);
    bytes_ += end_ - part_.get();
    return {part_.get(), static_cast<std::size_t>(end_ - part_.get())};
}

DifferenceEncoder::Bytes DifferenceEncoder::head() {
    end_ = std::copy_n(kDifferenceMagic, 8, part_.get());
    for (const std::int64_t number : {format_.width, format_.height, format_.rate.numerator,
                                      format_.rate.denominator, std::int64_t{threshold_}})
        end_ = put_number(end_, static_cast<std::uint32_t>(number));
    return with_check();
}

DifferenceEncoder::Bytes DifferenceEncoder::frame(const Image& frame) {
    const auto* samples = frame.data<std::uint8_t>();
    end_ = part_.get() + kLength;
    if (frames_ == 0) {
        std::memcpy(receiver_.raw(), samples, frame.bytes());
        end_ = std::copy_n(samples, frame.bytes(), end_);
    } else {
        put_differences(samples);
    }
    ++frames_;
    put_number(part_.get(), static_cast<std::uint32_t>(end_ - part_.get() - kLength));
    return with_check();
}

void DifferenceEncoder::put_differences(const std::uint8_t* frame) {
    auto* receiver = receiver_.data<std::uint8_t>();
    const std::int64_t pixels = receiver_.pixels();
    std::int64_t done = 0;  // pixels that the receiver has
    for (;;) {
        std::int64_t first = done;
        while (first < pixels && !changed(frame + 3 * first, receiver + 3 * first, threshold_))
            ++first;
        if (first == pixels) return;
        std::int64_t last = first + 1;
        while (last < pixels && changed(frame + 3 * last, receiver + 3 * last, threshold_)) ++last;
        end_ = put_count(put_count(end_, first - done), last - first);
        std::memcpy(receiver + 3 * first, frame + 3 * first,
                    static_cast<std::size_t>(3 * (last - first)));
        end_ = std::copy_n(frame + 3 * first, 3 * (last - first), end_);
        sent_pixels_ += last - first;
        done = last;
    }
}

DifferenceEncoder::Bytes DifferenceEncoder::end() {
    end_ = put_number(part_.get(), kDifferenceEnd);
    return with_check();
}

DifferenceSink::DifferenceSink(const std::string& path, const VideoFormat& format, int threshold)
    : path_(path),
      format_(format),
      writer_(path, "the difference stream"),
      encoder_(format, threshold) {}

void DifferenceSink::write(const Image& frame) {
    require_frame(path_, format_, frame);
    if (!writer_.is_open()) {
        const auto head = encoder_.head();
        writer_.write(head.data, head.size);
    }
    const auto part = encoder_.frame(frame);
    writer_.write_frame(part.data, part.size);
}

void DifferenceSink::finish() {
    if (!writer_.is_open()) return;
    const auto end = encoder_.end();
    writer_.write(end.data, end.size);
    writer_.close();
}

}  // namespace convolab
