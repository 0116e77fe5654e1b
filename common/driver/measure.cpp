// Copyright (c) 2026 The Convolab authors
// SPDX-License-Identifier: MIT
#include "common/driver/measure.hpp"

#include <chrono>

#include "common/base/error.hpp"
#include "common/driver/commands.hpp"
#include "common/driver/memory.hpp"
#include "common/measurement/machine.hpp"
#include "common/measurement/statistics.hpp"

namespace convolab {
namespace {

/// Standard deviation / mean above which a row is flagged as noisy.
constexpr double kNoiseBound = 0.05;

}  // namespace

std::vector<Image> Measure::frames(const Size& size, int channels, PixelType type) const {
    std::vector<Image> all;
    for (int i = 0; i < lab_.operation.frames; ++i)
        all.push_back(source_.picture(size, channels, type, i));
    return all;
}

Job Measure::job(const Task& task, const std::vector<Image>& frames) const {
    Job job{{}, options_.make_filter(task.ksize), options_.border, task.settings};
    for (const auto& frame : frames) job.frames.push_back(&frame);
    return job;
}

Row Measure::key(const Task& task) const {
    Row row = origin_row(lab_, task.variant->name);
    const Filter filter = options_.make_filter(task.ksize);
    const auto setting = [&](Uses use, int value) {
        return task.variant->uses & use ? std::to_string(value) : "";
    };
    row["image"] = source_.name();
    row["size"] = task.size.name;
    row["width"] = std::to_string(task.size.width);
    row["height"] = std::to_string(task.size.height);
    row["channels"] = std::to_string(channels_of(task));
    row["type"] = to_string(type_of(task));
    row["filter"] = filter.name() == "typed" ? options_.filter : filter.name();
    if (options_.sigma) row["filter"] += " sigma " + to_decimal(*options_.sigma);
    row["ksize"] = std::to_string(filter.ksize());
    row["border"] = to_string(options_.border);
    row["threads"] = setting(kUsesThreads, task.settings.threads);
    row["block"] = setting(kUsesBlock, task.settings.block);
    row["streams"] = setting(kUsesStreams, task.settings.streams);
    row["bands"] = setting(kUsesBands, task.settings.bands_or_streams());
    row["in_flight"] = setting(kUsesFrames, task.settings.in_flight);
    row["frames"] = setting(kUsesFrames, task.settings.frames);
    row["iterations"] = std::to_string(options_.iterations);
    row["warmup"] = std::to_string(options_.warmup);
    row["cold"] = options_.cold ? "1" : "0";
    return row;
}

const Case& Measure::case_of(const Task& task) {
    if (task.size.name != cases_size_) cases_.clear();
    cases_size_ = task.size.name;
    const std::string name = to_string(type_of(task)) + std::to_string(channels_of(task)) + ' ' +
                             std::to_string(task.ksize);
    const auto found = cases_.find(name);
    if (found != cases_.end()) return found->second;
    Case made{frames(task.size, channels_of(task), type_of(task)), {}, 0};
    Job reference = job(task, made.frames);
    reference.settings.threads = cpu_count();
    made.expected = lab_.operation.reference(reference);
    made.allowed = lab_.operation.allowed_difference(reference);
    return cases_[name] = std::move(made);
}

double Measure::copy(std::int64_t bytes, int threads) {
    double& speed = copies_[{bytes, threads}];
    if (speed == 0) speed = lab_.backend->copy_gb_per_s(bytes, threads, options_.cold);
    return speed;
}

const BusSpeed& Measure::bus(std::int64_t bytes, int devices) {
    BusSpeed& speed = buses_[{bytes, devices}];
    if (speed.both == 0) speed = lab_.backend->bus_speed(bytes / 2, devices);
    return speed;
}

Comparison Measure::check(const Case& truth, Convolver& convolver) const {
    convolver.download();
    return compare(convolver.result(), truth.expected, truth.allowed);
}

std::vector<double> Measure::repeat(const Case& truth, Convolver& convolver, Progress& progress,
                                    const std::function<double()>& once_ms) const {
    std::vector<double> ms;
    const int runs = options_.warmup + options_.iterations;
    for (int i = 0; i < runs && !interrupted(); ++i) {
        if (i == runs - 1) convolver.poison();  // the last output is checked again
        if (options_.cold) lab_.backend->flush_cache();
        const double once = once_ms();
        if (i >= options_.warmup) ms.push_back(once);
        progress.iteration(i + 1, runs);
    }
    const auto comparison = check(truth, convolver);
    if (!comparison.identical()) throw Error("after timing: " + comparison.first);
    return ms;
}

double Measure::total_ms(Convolver& convolver) const {
    const auto start = std::chrono::steady_clock::now();
    convolver.upload();
    convolver.run();
    convolver.download();
    const std::chrono::duration<double, std::milli> ms = std::chrono::steady_clock::now() - start;
    return ms.count() / convolver.frames_per_run();
}

void Measure::time(const Task& task, const Case& truth, const Job& job, Convolver& convolver,
                   Progress& progress, Row& row) {
    Backend& backend = *lab_.backend;
    const auto put = [&row](const std::string& name, const Statistics& s) {
        row[name + "_mean"] = to_decimal(s.mean);
        row[name + "_stddev"] = to_decimal(s.stddev);
        row[name + "_min"] = to_decimal(s.min);
        row[name + "_median"] = to_decimal(s.median);
        row[name + "_p95"] = to_decimal(s.p95);
    };
    std::vector<double> kernel_ms;
    std::vector<double> total_ms;
    const auto whole = [&] { return this->total_ms(convolver); };
    if (!task.variant->run_copies)
        kernel_ms = repeat(truth, convolver, progress,
                           [&] { return backend.time_ms([&] { convolver.run(); }); });
    total_ms = backend.name() == "cpu" ? kernel_ms  // nothing is copied
                                       : repeat(truth, convolver, progress, whole);
    if (interrupted()) return;

    put("total_ms", statistics(total_ms));
    if (!task.variant->run_copies) put("kernel_ms", statistics(kernel_ms));
    const Statistics time = statistics(task.variant->run_copies ? total_ms : kernel_ms);
    const auto bytes = lab_.operation.bytes(job);
    const double gb_per_s = static_cast<double>(bytes) / (time.mean * 1e6);
    const int threads = task.variant->uses & kUsesThreads ? task.settings.threads : 1;
    double ceiling = 0;
    if (task.variant->run_copies) {
        const BusSpeed speed = bus(bytes, convolver.devices());
        row["bus_in_gb_per_s"] = to_decimal(speed.in);
        row["bus_out_gb_per_s"] = to_decimal(speed.out);
        row["bus_both_gb_per_s"] = to_decimal(speed.both);
        row["devices"] = std::to_string(convolver.devices());
        ceiling = speed.both;
    } else {
        ceiling = copy(bytes, threads);
        row["copy_gb_per_s"] = to_decimal(ceiling);
    }
    row["gb_per_s"] = to_decimal(gb_per_s);
    row["gflop_per_s"] =
        to_decimal(static_cast<double>(lab_.operation.operations(job)) / (time.mean * 1e6));
    row["ceiling_share"] = to_decimal(gb_per_s / ceiling);
    row["noisy"] = time.spread() > kNoiseBound ? "1" : "0";
}

Row Measure::row(const Task& task, Progress& progress) {
    Row row = key(task);
    row["date"] = utc_now();
    row["revision"] = build_info().revision;
    row["dirty"] = build_info().dirty ? "1" : "0";
    try {
        const Case& truth = case_of(task);
        const Job job = this->job(task, truth.frames);
        row["bytes"] = std::to_string(lab_.operation.bytes(job));
        row["operations"] = std::to_string(lab_.operation.operations(job));
        require_memory(lab_, *task.variant, job);
        const auto convolver = make_convolver(*task.variant, job);
        convolver->poison();
        convolver->upload();
        convolver->run();
        const auto comparison = check(truth, *convolver);
        row["layout"] = to_string(convolver->result().layout());
        const KernelResources resources = convolver->resources();
        if (resources.registers) row["registers"] = std::to_string(*resources.registers);
        if (resources.shared_bytes) row["shared_bytes"] = std::to_string(*resources.shared_bytes);
        if (resources.occupancy) row["occupancy"] = to_decimal(*resources.occupancy);
        if (!comparison.identical()) throw Error(comparison.first);
        if (lab_.backend->is_timed()) time(task, truth, job, *convolver, progress, row);
        if (!interrupted()) row["status"] = "ok";
    } catch (const Unsupported& why) {
        row["status"] = "unsupported";
        row["reason"] = why.what();
    } catch (const Skipped& why) {
        row["status"] = "skipped";
        row["reason"] = why.what();
    } catch (const std::bad_alloc&) {
        row["status"] = "skipped";
        row["reason"] = "The machine has not enough memory for it.";
    } catch (const UsageError&) {
        throw;
    } catch (const Error& why) {
        row["status"] = "failed";
        row["reason"] = why.what();
    }
    return row;
}

}  // namespace convolab
