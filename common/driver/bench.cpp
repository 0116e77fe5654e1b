// Copyright (c) 2026 The Convolab authors
// SPDX-License-Identifier: MIT
//
// lab bench: verify, warm up, time, verify the last output again, write one row; for every size,
// filter side, variant and setting. A run that was stopped continues with what is missing.
#include <algorithm>
#include <chrono>
#include <cmath>
#include <iostream>
#include <set>

#include "common/driver/commands.hpp"
#include "common/driver/pictures.hpp"
#include "common/driver/progress.hpp"
#include "common/error.hpp"
#include "common/machine.hpp"
#include "common/statistics.hpp"

namespace convolab {
namespace {

/// Standard deviation / mean above which a row is flagged as noisy.
constexpr double kNoiseBound = 0.05;

struct Task {
    const Variant* variant;
    Size size;
    int ksize;  // 0: the filter's own
    Settings settings;
    double expected_s = 0;
};

/// A picture and what its convolution must give; the reference is computed once for all variants.
struct Case {
    std::vector<Image> frames;
    Image expected;
    double allowed = 0;
};

class Bench {
  public:
    Bench(const Lab& lab, const Options& options)
        : lab_(lab), options_(options), source_{options.image, options.data} {}

    int run();

  private:
    PixelType type_of(const Task& task) const {
        return options_.type.value_or(task.variant->types.front());
    }
    int channels_of(const Task& task) const {
        return options_.channels.value_or(task.variant->channels.front());
    }
    std::vector<Task> tasks() const;
    Job job(const Task& task, const std::vector<Image>& frames) const;
    std::vector<Image> frames(const Size& size, int channels, PixelType type) const;
    Row key(const Task& task) const;
    void estimate(std::vector<Task>& tasks) const;
    const Case& case_of(const Task& task);
    double ceiling(std::int64_t bytes, int threads);
    Row measure(const Task& task, Progress& progress);
    void time(const Task& task, const Case& truth, const Job& job, Convolver& convolver,
              Progress& progress, Row& row);
    void check_memory(const Task& task, const Job& job) const;
    Comparison check(const Case& truth, Convolver& convolver) const;

    const Lab& lab_;
    const Options& options_;
    PictureSource source_;
    std::map<std::string, Case> cases_;  // of one size
    std::string cases_size_;
    std::map<std::pair<std::int64_t, int>, double> ceilings_;
};

std::vector<Task> Bench::tasks() const {
    std::vector<Task> all;
    const std::vector<int> once = {0};
    for (const auto& size : options_.sizes)
        for (const int ksize : options_.ksizes_or_default())
            for (const auto* variant : options_.variants)
                for (const int threads : variant->uses & kUsesThreads ? options_.threads : once)
                    for (const int block : variant->uses & kUsesBlock ? options_.blocks : once)
                        for (const int streams : variant->uses & kUsesStreams ? options_.streams : once)
                            all.push_back({variant, size, ksize, {threads, block, streams}});
    return all;
}

std::vector<Image> Bench::frames(const Size& size, int channels, PixelType type) const {
    std::vector<Image> all;
    for (int i = 0; i < lab_.operation.frames; ++i)
        all.push_back(source_.picture(size, channels, type, i));
    return all;
}

Job Bench::job(const Task& task, const std::vector<Image>& frames) const {
    Job job{{}, options_.make_filter(task.ksize), options_.border, task.settings};
    for (const auto& frame : frames) job.frames.push_back(&frame);
    return job;
}

Row Bench::key(const Task& task) const {
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
    row["iterations"] = std::to_string(options_.iterations);
    row["warmup"] = std::to_string(options_.warmup);
    row["cold"] = options_.cold ? "1" : "0";
    return row;
}

/// Whether the file already holds this measurement. The layout is the variant's own and not known
/// before it ran. A row that was skipped or failed is tried again.
bool is_done(const std::vector<Row>& rows, const Row& key) {
    for (const auto& row : rows) {
        if (row.at("status") != "ok" && row.at("status") != "unsupported") continue;
        bool same = true;
        for (std::size_t i = 0; i < kTimingKeyColumns && same; ++i) {
            const auto& column = kTimingColumns[i];
            const auto found = key.find(column);
            same = column == "layout" || row.at(column) == (found == key.end() ? "" : found->second);
        }
        if (same) return true;
    }
    return false;
}

/// Times one run of each variant and of the reference on a small picture, and scales by the pixels.
void Bench::estimate(std::vector<Task>& tasks) const {
    std::map<std::string, double> seconds_a_pixel;
    const Size small{"256x144", 256, 144};
    const double small_pixels = 256 * 144;
    for (auto& task : tasks) {
        const double pixels = static_cast<double>(task.size.width) * task.size.height;
        const std::string name = task.variant->name + ' ' + std::to_string(task.ksize) + ' ' +
                                 std::to_string(task.settings.threads) + ' ' +
                                 std::to_string(task.settings.block);
        if (!seconds_a_pixel.contains(name)) {
            double once = 0;
            try {
                const auto images = frames(small, channels_of(task), type_of(task));
                const Job small_job = job(task, images);
                const auto convolver = make_convolver(*task.variant, small_job);
                convolver->run();
                once = lab_.backend->time_ms([&] { convolver->run(); }) / 1e3;
            } catch (const Unsupported&) {
            }
            seconds_a_pixel[name] = once / small_pixels;
        }
        const int runs = options_.iterations + options_.warmup + 2;
        task.expected_s = seconds_a_pixel[name] * pixels * runs;
    }
}

const Case& Bench::case_of(const Task& task) {
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

double Bench::ceiling(std::int64_t bytes, int threads) {
    double& speed = ceilings_[{bytes, threads}];
    if (speed == 0) speed = lab_.backend->copy_gb_per_s(bytes, threads);
    return speed;
}

void Bench::check_memory(const Task& task, const Job& job) const {
    const auto output = job.out_width() * job.out_height() * job.image().channels() *
                        static_cast<std::int64_t>(bytes_per_sample(job.image().type()));
    const MemoryNeed need = task.variant->memory
                                ? task.variant->memory(job)
                                : MemoryNeed{static_cast<std::int64_t>(job.image().bytes()) + output, 0};
    const auto mib = [](std::int64_t bytes) { return std::to_string(bytes >> 20) + " MiB"; };
    if (need.host > memory_free())
        throw Skipped("It needs " + mib(need.host) + " of memory and " + mib(memory_free()) +
                      " are free.");
    const auto device = lab_.backend->device_memory_free();
    if (device && need.device > *device)
        throw Skipped("It needs " + mib(need.device) + " of device memory and " + mib(*device) +
                      " are free.");
}

Comparison Bench::check(const Case& truth, Convolver& convolver) const {
    convolver.download();
    lab_.backend->wait();
    return compare(convolver.result(), truth.expected, truth.allowed);
}

void Bench::time(const Task& task, const Case& truth, const Job& job, Convolver& convolver,
                 Progress& progress, Row& row) {
    Backend& backend = *lab_.backend;
    std::vector<double> kernel_ms;
    std::vector<double> total_ms;
    const int runs = options_.warmup + options_.iterations;
    for (int i = 0; i < runs && !interrupted(); ++i) {
        if (i == runs - 1) convolver.poison();  // the last output is checked again
        if (options_.cold) backend.flush_cache();
        const double ms = backend.time_ms([&] { convolver.run(); });
        if (i >= options_.warmup) kernel_ms.push_back(ms);
        progress.iteration(i + 1, runs);
    }
    const auto comparison = check(truth, convolver);
    if (!comparison.identical()) throw Error("after timing: " + comparison.first);
    for (int i = 0; i < runs && !interrupted(); ++i) {
        const auto start = std::chrono::steady_clock::now();
        convolver.upload();
        if (backend.name() == "cpu") {  // no copies: what was timed is the total
            total_ms = kernel_ms;
            break;
        }
        convolver.run();
        convolver.download();
        backend.wait();
        const std::chrono::duration<double, std::milli> ms = std::chrono::steady_clock::now() - start;
        if (i >= options_.warmup) total_ms.push_back(ms.count());
    }
    if (interrupted()) return;

    const auto put = [&row](const std::string& name, const Statistics& s) {
        row[name + "_mean"] = to_decimal(s.mean);
        row[name + "_stddev"] = to_decimal(s.stddev);
        row[name + "_min"] = to_decimal(s.min);
        row[name + "_median"] = to_decimal(s.median);
        row[name + "_p95"] = to_decimal(s.p95);
    };
    const Statistics kernel = statistics(kernel_ms);
    put("kernel_ms", kernel);
    put("total_ms", statistics(total_ms));
    const auto bytes = lab_.operation.bytes(job);
    const double gb_per_s = static_cast<double>(bytes) / (kernel.mean * 1e6);
    const int threads = task.variant->uses & kUsesThreads ? task.settings.threads : 1;
    const double copy = ceiling(bytes, threads);
    row["gb_per_s"] = to_decimal(gb_per_s);
    row["gflop_per_s"] =
        to_decimal(static_cast<double>(lab_.operation.operations(job)) / (kernel.mean * 1e6));
    row["copy_gb_per_s"] = to_decimal(copy);
    row["ceiling_share"] = to_decimal(gb_per_s / copy);
    row["noisy"] = kernel.spread() > kNoiseBound ? "1" : "0";
}

/// The row of a task. Interrupted: a row without status.
Row Bench::measure(const Task& task, Progress& progress) {
    Row row = key(task);
    row["date"] = utc_now();
    row["revision"] = build_info().revision;
    row["dirty"] = build_info().dirty ? "1" : "0";
    try {
        const Case& truth = case_of(task);
        const Job job = this->job(task, truth.frames);
        row["bytes"] = std::to_string(lab_.operation.bytes(job));
        row["operations"] = std::to_string(lab_.operation.operations(job));
        check_memory(task, job);
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

int Bench::run() {
    std::vector<Task> todo = tasks();
    std::optional<ResultFile> file;
    if (!options_.csv.empty() && !options_.plan)
        file.emplace(options_.csv, kTimingColumns, options_.fresh);
    const std::vector<Row> done = file             ? file->rows()
                                  : options_.plan && !options_.fresh && !options_.csv.empty()
                                      ? read_csv(options_.csv)
                                      : std::vector<Row>{};
    const std::size_t all = todo.size();
    std::erase_if(todo, [&](const Task& task) { return is_done(done, key(task)); });
    if (lab_.backend->is_timed()) estimate(todo);

    double expected_s = 0;
    for (const auto& task : todo) expected_s += task.expected_s;
    if (options_.plan) {
        std::cout << std::lround(std::ceil(expected_s)) << '\n';
        return 0;
    }
    Progress progress(lab_.name, expected_s);
    progress.begin(all, all - todo.size(), options_.iterations, options_.warmup);
    int failed = 0;
    for (const auto& task : todo) {
        progress.task(task.variant->name, task.size.name, task.settings.threads, task.settings.block,
                      task.expected_s);
        const Row row = measure(task, progress);
        if (interrupted()) {
            progress.interrupted(file ? options_.csv : "");
            return interrupted_exit_code();
        }
        if (file) file->append(row);
        progress.row(row);
        failed += row.at("status") == "failed";
    }
    return failed > 0 ? 1 : 0;
}

}  // namespace

int bench_command(const Lab& lab, const Options& options) {
    catch_interrupts();
    return Bench(lab, options).run();
}

}  // namespace convolab
