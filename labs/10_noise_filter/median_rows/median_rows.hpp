// Copyright (c) 2026 The Convolab authors
// SPDX-License-Identifier: MIT
//
// The median filter of one row on one core, 16, 32 or 64 samples at a time. First the K samples of
// each column are sorted, once for the K windows that they are in; then the medians are chosen from
// K sorted columns each (parts/median_network.hpp). Instructions are chosen when the program runs.
#pragma once

#include <cstddef>
#include <cstdint>

namespace convolab::noise_filter {

/// rows: K pointers to RGB bytes, the output's row in the middle. memory: median_memory() bytes.
/// The edge is repeated.
using MedianRow = void (*)(const std::uint8_t* const* rows, std::uint8_t* out, std::int64_t pixels,
                           std::uint8_t* memory);

std::size_t median_memory(int ksize, std::int64_t pixels);

/// The fastest on this machine. Throws Unsupported for K other than 3, 5, 7, 9; Error if
/// choose_isa() does.
MedianRow fastest_median_row(int ksize);

// Of one instruction set; nullptr for another K.
MedianRow median_row_plain(int ksize);
MedianRow median_row_avx2(int ksize);
MedianRow median_row_avx512(int ksize);

}  // namespace convolab::noise_filter
