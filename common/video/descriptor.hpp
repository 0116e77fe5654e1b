// Copyright (c) 2026 The Convolab authors
// SPDX-License-Identifier: MIT
//
// A file, pipe or terminal by its descriptor, and whole reads and writes on it.
#pragma once

#include <cstddef>

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

}  // namespace convolab
