// SPDX-License-Identifier: MIT
// The median filter of one row on one core, 16, 32 or 64 samples at a time. First the K samples of
// each column are sorted, once for the K windows that contain it. Then each median is chosen from K
// sorted columns (parts/median_network.hpp). The program chooses the instructions when it runs.
#pragma once

#include <cstddef>
#include <cstdint>

namespace convolab::noise_filter {

/// rows: K pointers to rows of RGB bytes; the middle one is the output's. memory: median_memory()
/// bytes. The pixels at the edge are repeated.
using MedianRow = void (*)(const std::uint8_t* const* rows, std::uint8_t* out, std::int64_t pixels,
                           std::uint8_t* memory);

std::size_t median_memory(int ksize, std::int64_t pixels);

/// The fastest function for this machine. Throws Unsupported if K is not 3, 5, 7 or 9, and Error if
/// choose_isa() does.
MedianRow fastest_median_row(int ksize);

// For one instruction set; they return nullptr for any other K.
MedianRow median_row_plain(int ksize);
MedianRow median_row_avx2(int ksize);
MedianRow median_row_avx512(int ksize);

}  // namespace convolab::noise_filter
