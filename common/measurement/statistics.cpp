// SPDX-License-Identifier: MIT
#include "common/measurement/statistics.hpp"

#include <algorithm>
#include <cmath>

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

std::size_t median_rank(std::size_t n) {
    // Each sample is below the median with probability 1/2: their number is binomial. Rank r is too
    // high when fewer than r samples are below the median.
    const auto count = static_cast<double>(n);
    double below = 0;
    std::size_t rank = 0;
    for (; rank < (n + 1) / 2; ++rank) {
        const auto i = static_cast<double>(rank);
        below += std::exp(std::lgamma(count + 1) - std::lgamma(i + 1) - std::lgamma(count - i + 1) -
                          count * std::log(2.0));
        if (below > 0.025) break;
    }
    return rank;
}

std::optional<double> Statistics::median_uncertainty() const {
    if (!median_interval || median <= 0) return {};
    return (median_interval->high - median_interval->low) / median;
}

Statistics statistics(std::vector<double> samples) {
    if (samples.empty()) throw Error("There are no samples to make statistics of.");
    for (const double s : samples)
        if (!std::isfinite(s))
            throw Error("A sample is not a finite number; it has no place among the others.");
    std::sort(samples.begin(), samples.end());
    Statistics s;
    s.n = samples.size();
    s.median = percentile(samples, 0.5);
    s.p05 = percentile(samples, 0.05);
    s.p95 = percentile(samples, 0.95);
    if (const std::size_t rank = median_rank(s.n); rank > 0)
        s.median_interval = {samples[rank - 1], samples[s.n - rank]};
    return s;
}

}  // namespace convolab
