// Copyright (c) 2026 The Convolab authors
// SPDX-License-Identifier: MIT
//
// What memory holds that nobody has written: a GPU leaves there what was there before.
#pragma once

#include <cstddef>
#include <cstdint>

namespace cuda_on_cpu {

/// A float, double or half of it is not a number, an int -655947, an unsigned char 181 to 255: no
/// value that looks like a result that is nearly right.
constexpr std::uint32_t undefined_word = 0xfff5fdb5;

/// Each aligned word becomes that; 0 with CUDA_ON_CPU_ZEROS=1.
void fill_undefined(char* begin, char* end);
/// How many of the last bytes are still so: whole words, and the part of one that is the end.
std::size_t undefined_at_end(const char* begin, const char* end);
/// Whether each word is an int that is `start` times so much, or a little more: a sum that did not
/// begin at 0.
bool is_undefined_sum(const char* begin, const char* end, std::uint32_t start);

}  // namespace cuda_on_cpu
