// Copyright (c) 2026 The Convolab authors
// SPDX-License-Identifier: MIT
//
// The convolution of lab 01 `simd` and lab 02 `simd_rows`: uint8, interleaved, exact, one pass over
// the image. Only K rows are alive at a time, in a ring that stays in the nearest cache: rows of
// sums where the filter is an outer product (2K multiply-adds a sample), rows of samples where it
// is not (K^2). Every inner loop runs along a row with a fixed tap and is made SIMD by the
// compiler.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "common/padding.hpp"

namespace convolab {

class RowFilter {
  public:
    /// Throws Unsupported where check_possible() (padding.hpp) does.
    explicit RowFilter(const Job& job);

    /// The rows one thread works with: K of them and three more.
    struct Scratch {
        std::vector<std::uint8_t> samples;   // one padded row; K of them for a direct filter
        std::vector<std::int32_t> row_sums;  // K rows, for an outer product
        std::vector<std::int32_t> sums;      // one row of the output before rounding
    };
    Scratch make_scratch() const;

    /// Output rows y0 .. y1 - 1 into `out` (uint8, interleaved). Threads with their own scratch may
    /// work on different rows at the same time.
    void rows(std::int64_t y0, std::int64_t y1, Image& out, Scratch& scratch) const;

  private:
    void load(std::int64_t y, std::uint8_t* line) const;
    void sum_row(const std::uint8_t* line, std::int32_t* sums) const;
    void round_row(std::int64_t y, const std::int32_t* sums, std::uint8_t* out) const;
    void separable_rows(std::int64_t y0, std::int64_t y1, Image& out, Scratch& scratch) const;
    void direct_rows(std::int64_t y0, std::int64_t y1, Image& out, Scratch& scratch) const;

    Image image_;  // interleaved
    Filter filter_;
    Border border_;
    std::optional<Filter::OuterProduct> product_;
    Divisors divisors_;
    std::int64_t out_samples_;               // a row of the output
    std::int64_t line_samples_;              // the same with p pixels on each side
    std::vector<std::int64_t> edge_source_;  // of the 2p border pixels of a row: a column, or -1
};

}  // namespace convolab
