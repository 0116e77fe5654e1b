// SPDX-License-Identifier: MIT
// Fast filters for a CPU: mean and Gaussian by lab 01's row filter, and the median by median_rows/.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "common/row_filter/row_filter.hpp"
#include "labs/10_noise_filter/median_rows/median_rows.hpp"

namespace convolab::noise_filter {

class FrameFilter {
  public:
    /// frame: RGB, uint8, interleaved; each call of rows() reads it. Throws Unsupported if the side
    /// of a median is not 3, 5, 7 or 9, and Error if choose_isa() does.
    FrameFilter(const Computation& job, const Image& frame);

    /// The working memory of one thread.
    struct Scratch {
        RowFilter::Scratch of_sums;
        std::vector<std::uint8_t> of_median;
    };
    Scratch make_scratch() const;

    /// Makes output rows y0 .. y1 - 1. Threads with their own scratch may call it at the same time.
    void rows(std::int64_t y0, std::int64_t y1, Image& out, Scratch& scratch) const;

  private:
    const Image& frame_;
    int ksize_;
    std::optional<RowFilter> sums_;
    MedianRow median_ = nullptr;
};

}  // namespace convolab::noise_filter
