// Copyright (c) 2026 The Convolab authors
// SPDX-License-Identifier: MIT
#include "common/measurement/statistics.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "common/base/error.hpp"

namespace convolab {
namespace {

double percentile(const std::vector<double>& sorted, double share) {
    const double position = share * static_cast<double>(sorted.size() - 1);
    const auto below = static_cast<std::size_t>(position);
    const auto above = std::min(below + 1, sorted.size() - 1);
    return sorted[below] +
           (position - static_cast<double>(below)) * (sorted[above] - sorted[below]);
}

}  // namespace

Statistics statistics(std::vector<double> samples) {
    if (samples.empty()) throw Error("There are no samples to make statistics of.");
    for (const double s : samples)
        if (!std::isfinite(s))
            throw Error("A sample is not a finite number; it cannot be averaged.");
    std::sort(samples.begin(), samples.end());
    Statistics s;
    s.n = samples.size();
    s.mean = std::accumulate(samples.begin(), samples.end(), 0.0) / static_cast<double>(s.n);
    double squares = 0;
    for (const double v : samples) squares += (v - s.mean) * (v - s.mean);
    s.stddev = s.n > 1 ? std::sqrt(squares / static_cast<double>(s.n - 1)) : 0;
    s.min = samples.front();
    s.median = percentile(samples, 0.5);
    s.p95 = percentile(samples, 0.95);
    return s;
}

}  // namespace convolab
