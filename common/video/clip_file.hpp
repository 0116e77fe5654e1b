// Copyright (c) 2026 The Convolab authors
// SPDX-License-Identifier: MIT
//
// The file or pipe of a clip whose format is read and written without ffmpeg: difference streams.
#pragma once

#include <sys/types.h>

#include <cstddef>
#include <cstdint>
#include <string>

#include "common/video/descriptor.hpp"

namespace convolab {

/// Bytes in, from a file or from standard input.
class ClipReader {
  public:
    /// "-" is standard input. kind: "a Y4M stream", what a terminal cannot send. Throws Error.
    ClipReader(const std::string& path, const char* kind);

    /// How errors begin: "File 'a.y4m'", "Standard input".
    const std::string& name() const { return name_; }
    /// Reads `size` bytes; fewer at the end. Throws Error.
    std::size_t read(void* to, std::size_t size) const;

  private:
    std::string name_;
    Descriptor descriptor_;
};

/// Bytes out, to a file or to standard output. Where a frame cannot be written whole, what there is
/// of it is taken back: a file ends at its last whole frame.
class ClipWriter {
  public:
    /// "-" is standard output. The file is touched by the first write. kind: as above. Throws
    /// Error.
    ClipWriter(const std::string& path, const char* kind);

    bool is_open() const { return descriptor_.is_open(); }
    /// What is no frame: the clip's head or end. Throws Error.
    void write(const void* bytes, std::size_t size);
    void write_frame(const void* bytes, std::size_t size);
    /// Throws Error where the last bytes were lost.
    void close();

  private:
    void open();
    [[noreturn]] void fail(int reason) const;

    std::string path_;
    Descriptor descriptor_;
    bool is_file_ = false;
    off_t whole_ = 0;          ///< bytes that were written whole
    std::int64_t frames_ = 0;  ///< written
};

}  // namespace convolab
