// SPDX-License-Identifier: MIT
// Vectors of 64 bytes.
#include <cstring>
#include <utility>

#include "labs/10_noise_filter/median_rows/median_rows.hpp"

#ifdef __x86_64__
// Only the code between push and pop may use these instructions, and it is not visible outside this
// file.
#ifdef __clang__
#pragma clang attribute push(__attribute__((target("avx512f,avx512bw"))), apply_to = function)
#else
#pragma GCC push_options
#pragma GCC target("avx512f,avx512bw")
#endif
#include "labs/10_noise_filter/parts/median_network.hpp"

constexpr int kBytes = 64;
#include "labs/10_noise_filter/median_rows/row_kernel.hpp"

namespace convolab::noise_filter {

MedianRow median_row_avx512(int ksize) { return find(ksize); }

}  // namespace convolab::noise_filter

#ifdef __clang__
#pragma clang attribute pop
#else
#pragma GCC pop_options
#endif
#endif
