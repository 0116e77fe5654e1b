// Copyright (c) 2026 The Convolab authors
// SPDX-License-Identifier: MIT
//
// From the times of all rounds to the columns of a row.
#pragma once

#include <string>
#include <vector>

#include "common/measurement/csv.hpp"
#include "common/measurement/statistics.hpp"
#include "common/variant/convolver.hpp"

namespace convolab {

/// Milliseconds of each run, by round.
using Times = std::vector<std::vector<double>>;

Statistics of_all_rounds(const Times& times);

/// Sets kernel_ms_median .. or total_ms_median .., as `name` says.
void put_times(Row& row, const std::string& name, const Times& times);

/// Sets compute_ms, exchange_ms and wait_ms; nothing where there are no such times.
void put_rank_times(Row& row, const std::vector<std::vector<RankTimes>>& by_round);

/// The column: "1" where the median is uncertain by over 5 %; "" where the runs are too few to say.
std::string noisy(const Statistics& time);

}  // namespace convolab
