// Copyright (c) 2026 The Convolab authors
// SPDX-License-Identifier: MIT
//
// The filters of this lab on a CPU, as fast as we can make them: mean and Gaussian by the row
// filter of lab 01, the median by median_rows/.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "common/row_filter/row_filter.hpp"
#include "labs/10_noise_filter/median_rows/median_rows.hpp"

namespace convolab::noise_filter {

class FrameFilter {
  public:
    /// frame: RGB, uint8, interleaved; it is read at each call of rows(). Throws Unsupported for a
    /// median of another side than 3, 5, 7, 9; Error if choose_isa() does.
    FrameFilter(const Job& job, const Image& frame);

    /// The working memory of one thread.
    struct Scratch {
        RowFilter::Scratch of_sums;
        std::vector<std::uint8_t> of_median;
    };
    Scratch make_scratch() const;

    /// Output rows y0 .. y1 - 1. Threads with their own scratch may call it at the same time.
    void rows(std::int64_t y0, std::int64_t y1, Image& out, Scratch& scratch) const;

  private:
    const Image& frame_;
    int ksize_;
    std::optional<RowFilter> sums_;
    MedianRow median_ = nullptr;
};

}  // namespace convolab::noise_filter
