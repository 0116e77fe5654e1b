// Copyright (c) 2026 The Convolab authors
// SPDX-License-Identifier: MIT
//
// A file, pipe or terminal by its descriptor, whole reads and writes on it, and the file or pipe of
// a clip that is read and written without ffmpeg: difference streams.
#pragma once

#include <sys/types.h>

#include <cstddef>
#include <cstdint>
#include <string>

namespace convolab {

/// Owns a file descriptor; -1: none. Standard input and output are not closed.
class Descriptor {
  public:
    Descriptor() = default;
    explicit Descriptor(int number) : number_(number) {}
    Descriptor(Descriptor&& other) noexcept;
    Descriptor& operator=(Descriptor&& other) noexcept;
    ~Descriptor();

    int number() const { return number_; }
    bool is_open() const { return number_ >= 0; }

    /// 0, or the errno with which the last bytes were lost.
    int close();

  private:
    int number_ = -1;
};

/// How far a read or write came. `error` is 0 or an errno; at the end of a file or pipe a read has
/// fewer bytes and no error.
struct Transfer {
    std::size_t bytes = 0;
    int error = 0;
};

/// Reads until `size` bytes are there, or the end, or an error.
Transfer read_fully(int descriptor, void* to, std::size_t size);

/// Writes all bytes, or as many as go. A pipe that is no longer read is the error EPIPE: the
/// signal that would end the program is blocked.
Transfer write_fully(int descriptor, const void* from, std::size_t size);

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
