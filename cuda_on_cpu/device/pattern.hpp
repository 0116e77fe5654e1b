// Copyright (c) 2026 The Convolab authors
// SPDX-License-Identifier: MIT
//
// The bytes just outside of the memory that a kernel may use, where the processor does not stop
// it: a pattern, so that a write there is found afterwards.
#pragma once

#include <cstddef>
#include <cstdint>

namespace cuda_on_cpu {

/// No range is longer; 0xfb, as a float -2.6e36: who reads it gets a result that no filter gives.
constexpr std::size_t longest_pattern = 4096;
constexpr std::uint64_t pattern_word = 0xfbfbfbfbfbfbfbfb;

void fill_pattern(char* begin, char* end);
/// 0 where the pattern is whole; else how far the farthest byte that is not lies from `begin`, or
/// from `end`.
std::size_t written_from_begin(const char* begin, const char* end);
std::size_t written_from_end(const char* begin, const char* end);

}  // namespace cuda_on_cpu
