// SPDX-License-Identifier: MIT
#include "labs/10_noise_filter/commands/difference_stream.hpp"

#include <zlib.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>

#include "common/base/error.hpp"

namespace convolab::noise_filter {
namespace {

using Bytes = DifferenceEncoder::Bytes;

void put_number(Bytes& to, std::int64_t number) {
    for (int i = 0; i < 4; ++i) to.push_back(static_cast<std::uint8_t>(number >> 8 * i));
}

void put_count(Bytes& to, std::int64_t count) {
    for (; count >= 128; count >>= 7) to.push_back(static_cast<std::uint8_t>(count | 128));
    to.push_back(static_cast<std::uint8_t>(count));
}

bool changed(const std::uint8_t* a, const std::uint8_t* b, int threshold) {
    return std::max({std::abs(a[0] - b[0]), std::abs(a[1] - b[1]), std::abs(a[2] - b[2])}) >
           threshold;
}

}  // namespace

DifferenceEncoder::DifferenceEncoder(const VideoFormat& format, int threshold)
    : format_(format), threshold_(threshold), receiver_(format.width, format.height, 3) {}

const Bytes& DifferenceEncoder::with_check() {
    check_ = static_cast<std::uint32_t>(::crc32_z(check_, part_.data(), part_.size()));
    put_number(part_, check_);
    bytes_ += std::ssize(part_);
    return part_;
}

const Bytes& DifferenceEncoder::head() {
    part_.assign(kDifferenceMagic, kDifferenceMagic + 8);
    for (const std::int64_t number : {format_.width, format_.height, format_.rate.numerator,
                                      format_.rate.denominator, std::int64_t{threshold_}})
        put_number(part_, number);
    return with_check();
}

const Bytes& DifferenceEncoder::frame(const Image& frame) {
    const auto* samples = frame.data<std::uint8_t>();
    part_.assign(4, 0);
    if (frames_++ == 0) {
        std::memcpy(receiver_.raw(), samples, frame.bytes());
        part_.insert(part_.end(), samples, samples + frame.bytes());
    } else {
        put_differences(samples);
    }
    Bytes length;
    put_number(length, std::ssize(part_) - 4);
    std::copy(length.begin(), length.end(), part_.begin());
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
        put_count(part_, first - done);
        put_count(part_, last - first);
        std::copy(frame + 3 * first, frame + 3 * last, receiver + 3 * first);
        part_.insert(part_.end(), frame + 3 * first, frame + 3 * last);
        sent_pixels_ += last - first;
        done = last;
    }
}

const Bytes& DifferenceEncoder::end() {
    part_.clear();
    put_number(part_, kDifferenceEnd);
    return with_check();
}

DifferenceSink::DifferenceSink(const std::string& path, const VideoFormat& format, int threshold)
    : path_(path), file_(nullptr, std::fclose), encoder_(format, threshold) {
    if (path != "-") require_writable(path);
}

void DifferenceSink::write(const Image& frame) {
    if (!file_) {
        file_.reset(path_ == "-" ? stdout : std::fopen(path_.c_str(), "wb"));
        if (!file_) fail();
        put(encoder_.head());
    }
    put(encoder_.frame(frame));
    ++frames_;
}

void DifferenceSink::finish() {
    if (!file_) return;
    put(encoder_.end());
    if (std::fclose(file_.release()) != 0) fail();
}

void DifferenceSink::put(const Bytes& bytes) {
    if (std::fwrite(bytes.data(), 1, bytes.size(), file_.get()) != bytes.size() ||
        std::fflush(file_.get()) != 0)
        fail();
}

void DifferenceSink::fail() const {
    throw Error((path_ == "-" ? "Standard output" : "File '" + path_ + "'") +
                " cannot be written: " + std::strerror(errno) + "; it has " +
                std::to_string(frames_) + " whole frames.");
}

}  // namespace convolab::noise_filter
