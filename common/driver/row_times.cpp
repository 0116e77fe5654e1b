// Copyright (c) 2026 The Convolab authors
// SPDX-License-Identifier: MIT
#include <utility>

#include "common/driver/bench.hpp"

namespace convolab {

Statistics of_all_rounds(const Times& times) {
    std::vector<double> all;
    for (const auto& round : times) all.insert(all.end(), round.begin(), round.end());
    return statistics(std::move(all));
}

void put_times(Row& row, const std::string& name, const Times& times) {
    const Statistics s = of_all_rounds(times);
    row[name + "_median"] = to_decimal(s.median);
    if (s.median_interval) {
        row[name + "_median_low"] = to_decimal(s.median_interval->low);
        row[name + "_median_high"] = to_decimal(s.median_interval->high);
    }
    row[name + "_p05"] = to_decimal(s.p05);
    row[name + "_p95"] = to_decimal(s.p95);
}

void put_rank_times(Row& row, const std::vector<std::vector<RankTimes>>& by_round) {
    const auto put = [&](const char* column, double RankTimes::*part) {
        std::vector<double> all;
        for (const auto& round : by_round)
            for (const RankTimes& times : round) all.push_back(times.*part);
        if (!all.empty()) row[column] = to_decimal(statistics(std::move(all)).median);
    };
    put("compute_ms", &RankTimes::compute_ms);
    put("exchange_ms", &RankTimes::exchange_ms);
    put("wait_ms", &RankTimes::wait_ms);
}

std::string noisy(const Statistics& time) {
    constexpr double kUncertaintyLimit = 0.05;
    const auto uncertainty = time.median_uncertainty();
    return !uncertainty ? "" : *uncertainty > kUncertaintyLimit ? "1" : "0";
}

}  // namespace convolab
