// Copyright (c) 2026 The Convolab authors
// SPDX-License-Identifier: MIT
//
// What bench has to measure, and how long that takes.
#pragma once

#include <cstddef>
#include <vector>

#include "common/driver/options.hpp"
#include "common/driver/tasks.hpp"

namespace convolab {

/// How many rows the options ask for: the same number on every machine.
std::size_t rows_of_bench(const Options& options);

struct BenchPlan {
    /// done: the rows that the file holds. Each configuration is run a few times on a small
    /// picture, and each case is made once; the times are scaled by the pixels.
    BenchPlan(const Lab& lab, const Options& options, Tasks& tasks, const std::vector<Row>& done);

    std::size_t left_out = 0;   ///< configurations without a time, where only_timed is asked for
    std::size_t all = 0;        ///< the others that were asked for
    std::vector<Task> pending;  ///< those that are not in the file, size by size
    double expected_s = 0;
};

}  // namespace convolab
