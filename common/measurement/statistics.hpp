// Copyright (c) 2026 The Convolab authors
// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <vector>

namespace convolab {

/// Of n samples, in their own unit.
struct Statistics {
    std::size_t n = 0;
    double mean = 0;
    double stddev = 0;  ///< of the sample (divided by n - 1); 0 for n = 1
    double min = 0;
    double median = 0;
    double p95 = 0;  ///< 95th percentile, linear between the neighbours

    double spread() const { return mean > 0 ? stddev / mean : 0; }
};

/// Throws Error for no samples and for one that is not finite.
Statistics statistics(std::vector<double> samples);

}  // namespace convolab
