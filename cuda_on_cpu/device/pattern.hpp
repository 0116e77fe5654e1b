// SPDX-License-Identifier: MIT
// A pattern in the bytes just outside a kernel's memory where the processor does not stop an
// access. A write there changes the pattern and so is found afterwards.
#pragma once

#include <cstddef>
#include <cstdint>

namespace cuda_on_cpu {

/// No range is longer. The byte 0xcb gives the float -13323083, a result that no filter gives, so a
/// read is noticed, too; and adding 1 to it changes it.
constexpr std::size_t longest_pattern = 4096;
constexpr std::uint64_t pattern_word = 0xcbcbcbcbcbcbcbcb;

void fill_pattern(char* begin, char* end);
/// 0 if the pattern is whole; else the distance of the farthest changed byte from `begin` or `end`.
std::size_t written_from_begin(const char* begin, const char* end);
std::size_t written_from_end(const char* begin, const char* end);

}  // namespace cuda_on_cpu
