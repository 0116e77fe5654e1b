// Copyright (c) 2026 The Convolab authors
// SPDX-License-Identifier: MIT
#include "common/driver/measure.hpp"

#include <chrono>
#include <utility>

#include "common/base/error.hpp"
#include "common/driver/commands.hpp"
#include "common/driver/memory.hpp"
#include "common/measurement/machine.hpp"
#include "common/measurement/statistics.hpp"

namespace convolab {
namespace {

/// Of the median: a row whose median is less certain is flagged as noisy.
constexpr double kUncertaintyLimit = 0.05;

}  // namespace

Ceilings& Measure::ceilings(Backend& backend) {
    return ceilings_.try_emplace(&backend, backend).first->second;
}

std::vector<double> Measure::repeat(Bound& bound, BenchProgress& progress,
                                    const std::function<double()>& once_ms) const {
    Convolver& convolver = *bound.convolver;
    std::vector<double> ms;
    const int runs = options_.warmup + options_.iterations;
    for (int i = 0; i < runs && !interrupted(); ++i) {
        if (i == runs - 1) convolver.poison();  // the last output is checked again
        if (options_.cold) bound.backend.flush_cache();
        const double once = once_ms();
        if (i >= options_.warmup) ms.push_back(once);
        progress.iteration(i + 1, runs);
    }
    convolver.download();
    const Comparison comparison =
        compare(convolver.result(), bound.backward ? bound.truth.backward : bound.truth.expected);
    if (!comparison.identical()) throw Error("after timing: " + describe(comparison));
    return ms;
}

void Measure::time(Bound& bound, BenchProgress& progress, Row& row) {
    Convolver& convolver = *bound.convolver;
    Backend& backend = bound.backend;
    const Variant& variant = *bound.task.variant;
    const auto put = [&row](const std::string& name, const Statistics& s) {
        row[name + "_mean"] = to_decimal(s.mean);
        row[name + "_stddev"] = to_decimal(s.stddev);
        row[name + "_min"] = to_decimal(s.min);
        row[name + "_median"] = to_decimal(s.median);
        if (s.median_interval) {
            row[name + "_median_low"] = to_decimal(s.median_interval->low);
            row[name + "_median_high"] = to_decimal(s.median_interval->high);
        }
        row[name + "_p05"] = to_decimal(s.p05);
        row[name + "_p95"] = to_decimal(s.p95);
    };
    std::vector<double> kernel_ms;
    std::vector<double> total_ms;
    const auto whole = [&] {  // of one frame, with its copies, on the host's clock
        bound.turn();
        const auto start = std::chrono::steady_clock::now();
        convolver.next_frame();
        convolver.run();
        convolver.download();
        const std::chrono::duration<double, std::milli> ms =
            std::chrono::steady_clock::now() - start;
        return ms.count() / convolver.frames_per_run();
    };
    if (!variant.run_copies)
        kernel_ms = repeat(bound, progress, [&] {
            convolver.renew();
            return backend.time_ms([&] { convolver.run(); });
        });
    if (backend.name() == "cpu")
        total_ms = kernel_ms;  // nothing is copied
    else if (variant.run_copies || !options_.kernel_only)
        total_ms = repeat(bound, progress, whole);
    if (interrupted()) return;

    if (!total_ms.empty()) put("total_ms", statistics(total_ms));
    if (!variant.run_copies) put("kernel_ms", statistics(kernel_ms));
    const Statistics time = statistics(variant.run_copies ? total_ms : kernel_ms);
    const Operation& operation = lab_.operation_of(variant);
    const auto bytes = operation.bytes(bound.job);
    const double gb_per_s = static_cast<double>(bytes) / (time.median * 1e6);
    double ceiling = 0;
    if (backend.gpus() > 0) row["devices"] = std::to_string(convolver.devices());
    if (variant.run_copies) {
        const BusSpeed& speed = ceilings(backend).bus(convolver.devices());
        row["bus_in_gb_per_s"] = to_decimal(speed.in);
        row["bus_out_gb_per_s"] = to_decimal(speed.out);
        row["bus_both_gb_per_s"] = to_decimal(speed.both);
        ceiling = speed.both;
    } else {
        const CopySpeed& speed = ceilings(backend).copy();
        ceiling = speed.gb_per_s;
        row["copy_gb_per_s"] = to_decimal(ceiling);
        row["copy_how"] = speed.how;
    }
    row["gb_per_s"] = to_decimal(gb_per_s);
    row["gflop_per_s"] =
        to_decimal(static_cast<double>(operation.operations(bound.job)) / (time.median * 1e6));
    row["ceiling_share"] = to_decimal(gb_per_s / ceiling);
    if (const auto uncertainty = time.median_uncertainty())
        row["noisy"] = *uncertainty > kUncertaintyLimit ? "1" : "0";
}

Measure::Bound Measure::bind(const Task& task) {
    const Case& truth = tasks_.truth(task);
    std::vector<Image> clip;
    if (truth.frames.size() == 2) clip = truth.frames;
    const Job job = tasks_.job(task, clip.empty() ? truth.frames : clip);
    require_memory(lab_, *task.variant, job);
    auto convolver = make_convolver(*task.variant, job);
    return {
        task, truth, std::move(clip), job, lab_.backend_of(*task.variant), std::move(convolver)};
}

void Measure::Bound::turn() {
    if (clip.empty()) return;
    std::swap(clip[0], clip[1]);
    backward = !backward;
}

void Measure::fill(const Task& task, BenchProgress& progress, Row& row) {
    const Case& truth = tasks_.truth(task);
    const Job job = tasks_.job(task, truth.frames);
    const Operation& operation = lab_.operation_of(*task.variant);
    row["bytes"] = std::to_string(operation.bytes(job));
    row["operations"] = std::to_string(operation.operations(job));
    try {
        Bound bound = bind(task);
        const Image result = output_of(*bound.convolver);
        row["layout"] = to_string(result.layout());
        const KernelResources resources = bound.convolver->resources();
        if (resources.registers) row["registers"] = std::to_string(*resources.registers);
        if (resources.shared_bytes) row["shared_bytes"] = std::to_string(*resources.shared_bytes);
        if (resources.occupancy) row["occupancy"] = to_decimal(*resources.occupancy);
        const Comparison comparison = compare(result, truth.expected);
        if (!comparison.identical()) throw Error(describe(comparison));
        if (bound.backend.is_timed()) time(bound, progress, row);
        if (!interrupted()) row["status"] = "ok";
    } catch (const Unsupported&) {
        throw;
    } catch (const Skipped&) {
        throw;
    } catch (const UsageError&) {
        throw;
    } catch (const Error& why) {
        row["status"] = "failed";
        row["reason"] = why.what();
    }
}

Row Measure::row(const Task& task, BenchProgress& progress) {
    Row row = tasks_.key(task);
    row.merge(Row(machine_));
    row["gpu_clocks"] = lab_.backend_of(*task.variant).gpu_clocks();
    row["date"] = utc_now();
    row["revision"] = build_info().revision;
    row["dirty"] = build_info().dirty ? "1" : "0";
    try {
        fill(task, progress, row);
    } catch (const Unsupported& why) {
        row["status"] = "unsupported";
        row["reason"] = why.what();
    } catch (const Skipped& why) {
        row["status"] = "skipped";
        row["reason"] = why.what();
    } catch (const std::bad_alloc&) {
        row["status"] = "skipped";
        row["reason"] = "The machine has not enough memory for it.";
    }
    return row;
}

}  // namespace convolab
