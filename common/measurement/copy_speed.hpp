// Copyright (c) 2026 The Convolab authors
// SPDX-License-Identifier: MIT
//
// The ceiling of labs 01 and 02: the fastest copy that this machine's processors make of as many
// bytes as a variant reads and writes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

namespace convolab {

/// Copies `bytes` bytes that do not overlap.
using Copy = std::function<void(char* to, const char* from, std::size_t bytes)>;

/// The ways to copy that may be the fastest: memcpy, which leaves the output in the caches, and
/// stores past the caches, with which the processor need not read what it is going to overwrite:
/// 1.3 to 1.7 times memcpy where input and output do not fit the last cache.
std::vector<Copy> copies();

/// The speed of the fastest of `ways` in GB/s, of `bytes` bytes read and written together: median
/// of 21 runs. Each of `threads` threads copies a contiguous share; they are created, and
/// before_each() is called, before the clock starts.
double fastest_copy_gb_per_s(
    std::int64_t bytes, int threads, const std::vector<Copy>& ways,
    const std::function<void()>& before_each = [] {});

}  // namespace convolab
