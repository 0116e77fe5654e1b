// SPDX-License-Identifier: MIT
// The CPU as a backend, and its ceiling: the fastest copy that its processors make.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "common/variant/backend.hpp"

namespace convolab {

/// Copies `bytes` bytes that do not overlap.
struct Copy {
    std::string how;
    std::function<void(char* to, const char* from, std::size_t bytes)> copy;
};

/// The ways to copy that may be the fastest: memcpy, which leaves the output in the caches, and
/// stores past the caches, with which the processor need not read what it is going to overwrite:
/// faster than memcpy where input and output do not fit the last cache.
std::vector<Copy> copies();

inline constexpr int kCopyRuns = 15;

/// Copies of `bytes` bytes read and written together, in turns with what they are compared with.
/// Each of `threads` threads copies a contiguous share; they are created before the clock starts.
class CopyTimes {
  public:
    CopyTimes(std::int64_t bytes, int threads, std::vector<Copy> ways);
    /// Adds this many runs of each way.
    void time(int runs);
    /// The way with the shortest median.
    CopySpeed fastest() const;

  private:
    int threads_;
    std::vector<Copy> ways_;
    std::vector<std::vector<double>> ms_;  ///< by the way
    std::vector<char> from_, to_;
};

/// The fastest of `ways` by kCopyRuns runs.
CopySpeed fastest_copy(std::int64_t bytes, int threads, const std::vector<Copy>& ways);

/// What runs the variants on the CPU, and all of labs 01 and 02.
Backend& cpu_backend();

}  // namespace convolab
