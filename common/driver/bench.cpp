// Copyright (c) 2026 The Convolab authors
// SPDX-License-Identifier: MIT
//
// lab bench: one row for every size, filter side, variant and setting. A run that was stopped
// continues with what is missing.
#include <algorithm>
#include <cmath>
#include <iostream>
#include <map>
#include <optional>

#include "common/base/error.hpp"
#include "common/driver/commands.hpp"
#include "common/driver/measure.hpp"
#include "common/measurement/results.hpp"

namespace convolab {
namespace {

std::vector<Task> all_tasks(const Options& options) {
    std::vector<Task> all;
    for (const auto& size : options.sizes)
        for (const int ksize : options.ksizes_or_default())
            for (const auto* variant : options.variants)
                for (const auto& settings : combinations(variant->uses, options.settings))
                    all.push_back({variant, size, ksize, settings});
    return all;
}

/// Whether the file already holds this measurement. The layout is the variant's own and not known
/// before it ran. A row that was skipped or failed is tried again.
bool is_done(const std::vector<Row>& rows, const Row& key) {
    for (const auto& row : rows) {
        if (row.at("status") != "ok" && row.at("status") != "unsupported") continue;
        const bool same = std::all_of(
            timing_columns().begin(), timing_columns().end(), [&](const Column& column) {
                const auto found = key.find(column.name);
                return !column.key || column.name == "layout" ||
                       row.at(column.name) == (found == key.end() ? "" : found->second);
            });
        if (same) return true;
    }
    return false;
}

/// Times one run of each variant on a small picture, and scales by the pixels.
void estimate(std::vector<Task>& pending, const Lab& lab, const Options& options,
              const Tasks& tasks) {
    std::map<std::string, double> seconds_per_pixel;
    const Size small{"256x144", 256, 144};
    const double small_pixels = 256 * 144;
    for (auto& task : pending) {
        Backend& backend = lab.backend_of(*task.variant);
        if (!backend.is_timed()) continue;
        const double pixels = static_cast<double>(task.size.width) * task.size.height;
        const std::string name = task.variant->name + ' ' + std::to_string(task.ksize) + ' ' +
                                 describe(task.settings, task.variant->uses);
        if (!seconds_per_pixel.contains(name)) {
            double once = 0;
            try {
                const auto images =
                    tasks.frames(small, tasks.channels_of(task), tasks.type_of(task));
                const Job small_job = tasks.job(task, images);
                const auto convolver = make_convolver(*task.variant, small_job);
                convolver->upload();
                convolver->run();
                once = backend.time_ms([&] { convolver->run(); }) / 1e3;
            } catch (const Unsupported&) {  // its row will say why
            } catch (const Skipped&) {
            }
            seconds_per_pixel[name] = once / small_pixels;
        }
        const int runs = options.iterations + options.warmup + 2;
        task.expected_s = seconds_per_pixel[name] * pixels * runs;
    }
}

}  // namespace

int bench_command(const Lab& lab, const Options& options) {
    catch_interrupts();
    Tasks tasks(lab, options);
    Measure measure(lab, options, tasks);
    std::vector<Task> pending = all_tasks(options);
    const auto columns = names(timing_columns());
    std::optional<ResultFile> file;  // unchanged until the first row is there
    std::vector<Row> done;
    if (!options.csv.empty() && options.plan) {
        done = read_results(options.csv, columns);
        if (options.fresh) done.clear();
    } else if (!options.csv.empty()) {
        file.emplace(options.csv, columns, options.fresh);
        done = file->rows();
    }
    const std::size_t all = pending.size();
    std::erase_if(pending, [&](const Task& task) { return is_done(done, tasks.key(task)); });
    estimate(pending, lab, options, tasks);

    double expected_s = 0;
    for (const auto& task : pending) expected_s += task.expected_s;
    if (options.plan) {
        std::cout << std::lround(std::ceil(expected_s)) << '\n';
        return 0;
    }
    BenchProgress progress(lab.name, expected_s);
    progress.begin(all, all - pending.size(), options.iterations, options.warmup);
    int failed = 0;
    for (const auto& task : pending) {
        const std::string settings = describe(task.settings, task.variant->uses);
        progress.task(
            task.variant->name + ' ' + task.size.name + (settings.empty() ? "" : ", ") + settings,
            task.expected_s);
        const Row row = measure.row(task, progress);
        if (interrupted()) {
            progress.interrupted(file ? options.csv : "");
            return interrupted_exit_code();
        }
        if (file) file->append(row);
        progress.row(row);
        failed += row.at("status") == "failed";
    }
    return failed > 0 ? 1 : 0;
}

}  // namespace convolab
