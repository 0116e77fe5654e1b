// SPDX-License-Identifier: MIT
// From the times of all turns to a result, and from a result to its row and its words.
#include <cstdio>
#include <functional>
#include <utility>

#include "common/driver/bench.hpp"
#include "common/variant/backend.hpp"

namespace convolab {
namespace {

/// Of the samples of all turns; nothing if there are none.
template <class Sample, class Value = std::identity>
std::optional<Statistics> statistics_of(const std::vector<Turn>& turns,
                                        std::vector<Sample> Turn::*samples, Value value = {}) {
    std::vector<double> all;
    for (const Turn& turn : turns)
        for (const Sample& sample : turn.*samples) all.push_back(std::invoke(value, sample));
    if (all.empty()) return {};
    return statistics(std::move(all));
}

void put_times(Row& row, const std::string& name, const Statistics& s) {
    row[name + "_median"] = to_decimal(s.median);
    if (s.median_interval) {
        row[name + "_median_low"] = to_decimal(s.median_interval->low);
        row[name + "_median_high"] = to_decimal(s.median_interval->high);
    }
    row[name + "_p05"] = to_decimal(s.p05);
    row[name + "_p95"] = to_decimal(s.p95);
}

/// "1" if the median is uncertain by over 5 %; "" if the runs are too few to tell.
std::string noisy(const Statistics& time) {
    constexpr double kUncertaintyLimit = 0.05;
    const auto uncertainty = time.median_uncertainty();
    return !uncertainty ? "" : *uncertainty > kUncertaintyLimit ? "1" : "0";
}

}  // namespace

BenchResult Measurement::finish(const TurnCounts& counts, std::size_t in_round) {
    if (prepared_ == nullptr) return result_;
    Row& words = result_.words;
    words["status"] = "ok";
    if (!backend_.is_timed()) return result_;
    words["watched"] = watched();
    words["in_round"] = std::to_string(in_round);
    words["repeated"] = std::to_string(counts.repeated);
    words["disturbed"] = std::to_string(counts.disturbed);
    result_.kernel_ms = statistics_of(turns_, &Turn::kernel);
    result_.total_ms = statistics_of(turns_, &Turn::total);
    if (!result_.total_ms && backend_.name() == "cpu") result_.total_ms = result_.kernel_ms;
    for (const auto& [column, samples] :
         {std::pair{"copy_in_ms", &Turn::copy_in}, {"copy_out_ms", &Turn::copy_out}})
        if (const auto ms = statistics_of(turns_, samples)) result_.numbers[column] = ms->median;
    for (const auto& [column, part] : {std::pair{"compute_ms", &RankTimes::compute_ms},
                                       {"exchange_ms", &RankTimes::exchange_ms},
                                       {"wait_ms", &RankTimes::wait_ms}})
        if (const auto ms = statistics_of(turns_, &Turn::ranks, part))
            result_.numbers[column] = ms->median;
    attempt([&] { fill_rates(result_.time().median); });
    return result_;
}

std::string Measurement::watched() {
    std::string cpu = session_.watch.watched();
    if (backend_.gpus() == 0) return cpu;
    const bool shown = backend_.are_slowed(prepared_->convolver->devices()).has_value();
    if (shown) return "GPU clocks, " + cpu;
    return cpu + (cpu.find("not shown") == std::string::npos ? "; not shown: " : ", ") +
           "GPU clocks";
}

void Measurement::fill_rates(double ms) {
    const Operation& operation = session_.lab.operation_of(*task_.variant);
    const int devices = prepared_->convolver->devices();
    auto& numbers = result_.numbers;
    double ceiling = 0;
    if (task_.variant->run_copies || task_.variant->pinned_frames) {
        const BusSpeed speed = backend_.bus_speed(devices);
        numbers["bus_in_gb_per_s"] = speed.in;
        numbers["bus_out_gb_per_s"] = speed.out;
        numbers["bus_both_gb_per_s"] = ceiling = speed.both;
    }
    if (!task_.variant->run_copies) {
        const CopySpeed speed = backend_.copy_speed();
        numbers["copy_gb_per_s"] = speed.gb_per_s;
        result_.words["copy_how"] = speed.how;
        ceiling = devices * speed.gb_per_s;
    }
    const double gb_per_s = static_cast<double>(operation.bytes(prepared_->job)) / (ms * 1e6);
    numbers["gb_per_s"] = gb_per_s;
    result_.ceiling_share = gb_per_s / ceiling;
}

Row BenchResult::row() const {
    Row row = words;
    for (const auto& [column, number] : numbers) row[column] = to_decimal(number);
    if (kernel_ms) put_times(row, "kernel_ms", *kernel_ms);
    if (total_ms) put_times(row, "total_ms", *total_ms);
    if (kernel_ms || total_ms) row["noisy"] = noisy(time());
    return row;
}

std::string BenchResult::text() const {
    if (words.at("status") != "ok") return words.at("status") + ": " + words.at("reason");
    if (!kernel_ms && !total_ms)
        return "identical to the reference (an emulator's time means nothing)";
    const Statistics& ms = time();
    std::string text = to_digits(ms.median, 4) + " ms (" + to_digits(ms.p05, 4) + " to " +
                       to_digits(ms.p95, 4) + ')';
    if (ceiling_share) {
        char share[40];
        std::snprintf(share, sizeof share, "%.1f", 100 * *ceiling_share);
        text += ", " + to_digits(numbers.at("gb_per_s"), 3) + " GB/s, " + share + " % of " +
                (kernel_ms ? "a copy" : "the bus");
    }
    return text +
           (noisy(ms) == "1" ? " (warning: noisy, the median is uncertain by over 5 %)" : "");
}

}  // namespace convolab
