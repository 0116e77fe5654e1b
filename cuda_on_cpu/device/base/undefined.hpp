// SPDX-License-Identifier: MIT
// The content of memory that was never written. A GPU leaves there whatever was there before.
#pragma once

#include <cstdint>

namespace cuda_on_cpu {

/// As a float, double or half it is not a number; as an int it is -655947, as an unsigned char 181
/// to 255. No result that is nearly right looks like this.
constexpr std::uint32_t undefined_word = 0xfff5fdb5;
/// A large number: comparisons with the other two may have one result.
constexpr std::uint32_t large_word = 0x7f7f7f7f;

/// Fills each aligned word with the first, with 0 if CUDA_ON_CPU_ZEROS=1, with the second if it
/// is 2.
void fill_undefined(char* begin, char* end);

}  // namespace cuda_on_cpu
