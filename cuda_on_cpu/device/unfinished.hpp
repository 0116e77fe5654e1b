// Copyright (c) 2026 The Convolab authors
// SPDX-License-Identifier: MIT
//
// Kernels and copies that still wait in a stream, and the host's memory that they use: for what is
// read too early or never runs.
#pragma once

#include <string>
#include <vector>

#include "device/source_line.hpp"
#include "kernel_launch.hpp"

namespace cuda_on_cpu {

/// What helps where a copy does not wait for the kernel whose results it takes.
constexpr const char* wait_before_copy =
    "Remedy: cudaStreamSynchronize(stream) before the copy, or the copy in the kernel's stream; "
    "one without a stream does not wait for a stream with cudaStreamNonBlocking.";

class Unfinished {
  public:
    struct Range {
        const char* begin;
        std::size_t bytes;
        bool is_written;
    };
    /// A kernel with these pointers.
    Unfinished(const LaunchPlace& place, const std::vector<Address>& addresses);
    /// A copy, of the caller.
    explicit Unfinished(std::vector<Range> ranges);
    /// It has run, or will never do so.
    ~Unfinished();
    Unfinished(const Unfinished&) = delete;
    Unfinished& operator=(const Unfinished&) = delete;

    /// "kernel blur, launched at lab.cu:12", "the copy at lab.cu:13"
    std::string name() const;
    const Frames& caller() const { return caller_; }  ///< of a copy
    mutable bool is_told = false;                     ///< that the host does not wait for it
    bool is_kernel() const { return place_.file != nullptr; }

    const std::vector<Range>& ranges() const { return ranges_; }

    /// It uses these bytes, other than both reading them.
    bool uses(const void* begin, std::size_t bytes, bool writes) const;
    static bool any() { return !all().empty(); }
    /// The first that still waits and uses these bytes; nullptr: nothing does.
    static const Unfinished* user_of(const void* begin, std::size_t bytes, bool writes);
    /// The kernel that still waits and has a pointer to this device memory that is not const.
    static const Unfinished* writer_of(const void* begin);
    static const std::vector<const Unfinished*>& all();

  private:
    LaunchPlace place_;
    Frames caller_;
    std::vector<Range> ranges_;
    std::vector<const char*> results_;  // device memory, from its beginning
};

}  // namespace cuda_on_cpu
