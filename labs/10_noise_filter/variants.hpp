// SPDX-License-Identifier: MIT
// The variants of this lab, each defined in the file with its name; pair_count and median_count in
// those of pair and median.
#pragma once

#include "common/variant/convolver.hpp"

namespace convolab::noise_filter {

extern const Variant cpu, cpu_simd, cpu_threads, tile, columns, fused, count, pair, pair_count,
    median, median_count;

}  // namespace convolab::noise_filter
