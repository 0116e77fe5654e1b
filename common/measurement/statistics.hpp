// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

namespace convolab {

struct Interval {
    double low = 0;
    double high = 0;
};

/// Of n samples, in their own unit. Percentiles are linear between the neighbours.
struct Statistics {
    std::size_t n = 0;
    double median = 0;
    double p05 = 0;  ///< 5th percentile
    double p95 = 0;  ///< 95th percentile
    /// Holds the true median with a probability of at least 95 %, whatever the distribution: two of
    /// the samples, by their ranks. None for n < 6, which no two samples are sure enough for.
    std::optional<Interval> median_interval = {};

    /// Width of median_interval / median; none without an interval.
    std::optional<double> median_uncertainty() const;
};

/// Throws Error for no samples and for one that is not finite.
Statistics statistics(std::vector<double> samples);

/// Of n sorted samples, the rank r, counted from 1, with which samples r and n + 1 - r enclose the
/// median with a probability of at least 95 %; 0 if there is none.
std::size_t median_rank(std::size_t n);

}  // namespace convolab
