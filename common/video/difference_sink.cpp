// Copyright (c) 2026 The Convolab authors
// SPDX-License-Identifier: MIT
#include "common/video/difference_stream.hpp"

namespace convolab {

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
