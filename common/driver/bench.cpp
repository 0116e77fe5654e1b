// Copyright (c) 2026 The Convolab authors
// SPDX-License-Identifier: MIT
//
// lab bench: one row for every size, filter side, variant and setting. A run that was stopped
// continues with what is missing.
#include <algorithm>
#include <cmath>
#include <iostream>

#include "common/base/error.hpp"
#include "common/driver/commands.hpp"
#include "common/driver/measure.hpp"

namespace convolab {
namespace {

/// Every combination of the settings of copies that the variant uses; unused ones stand at 0.
std::vector<Settings> copy_settings(const Variant& variant, const Options& options) {
    const std::vector<int> once = {0};
    const auto values = [&](Uses use, const std::vector<int>& asked) {
        return (variant.uses & use) != 0 ? asked : once;
    };
    std::vector<Settings> all;
    for (const int streams : values(kUsesStreams, options.streams))
        for (const int bands : values(kUsesBands, options.bands))
            for (const int in_flight : values(kUsesFrames, options.in_flight))
                for (const int frames : values(kUsesFrames, options.frames))
                    all.push_back({0, 0, streams, bands, in_flight, frames});
    return all;
}

std::vector<Task> all_tasks(const Options& options) {
    std::vector<Task> all;
    const std::vector<int> once = {0};
    const auto values = [&](const Variant* variant, Uses use, const std::vector<int>& asked) {
        return (variant->uses & use) != 0 ? asked : once;
    };
    for (const auto& size : options.sizes)
        for (const int ksize : options.ksizes_or_default())
            for (const auto* v : options.variants)
                for (const int threads : values(v, kUsesThreads, options.threads))
                    for (const int block : values(v, kUsesBlock, options.blocks))
                        for (const auto& s : copy_settings(*v, options))
                            all.push_back(
                                {v,
                                 size,
                                 ksize,
                                 {threads, block, s.streams, s.bands, s.in_flight, s.frames}});
    return all;
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
            same =
                column == "layout" || row.at(column) == (found == key.end() ? "" : found->second);
        }
        if (same) return true;
    }
    return false;
}

/// Times one run of each variant on a small picture, and scales by the pixels.
void estimate(std::vector<Task>& tasks, const Lab& lab, const Options& options,
              const Measure& measure) {
    std::map<std::string, double> seconds_per_pixel;
    const Size small{"256x144", 256, 144};
    const double small_pixels = 256 * 144;
    for (auto& task : tasks) {
        const double pixels = static_cast<double>(task.size.width) * task.size.height;
        const std::string name = task.variant->name + ' ' + std::to_string(task.ksize) + ' ' +
                                 std::to_string(task.settings.threads) + ' ' +
                                 std::to_string(task.settings.block) + ' ' +
                                 std::to_string(task.settings.streams) + ' ' +
                                 std::to_string(task.settings.frames);
        if (!seconds_per_pixel.contains(name)) {
            double once = 0;
            try {
                const auto images =
                    measure.frames(small, measure.channels_of(task), measure.type_of(task));
                const Job small_job = measure.job(task, images);
                const auto convolver = make_convolver(*task.variant, small_job);
                convolver->upload();
                convolver->run();
                once = lab.backend->time_ms([&] { convolver->run(); }) / 1e3;
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
    Measure measure(lab, options);
    std::vector<Task> pending = all_tasks(options);
    std::optional<ResultFile> file;
    if (!options.csv.empty() && !options.plan)
        file.emplace(options.csv, kTimingColumns, options.fresh);
    const std::vector<Row> done = file ? file->rows()
                                  : options.plan && !options.fresh && !options.csv.empty()
                                      ? read_csv(options.csv)
                                      : std::vector<Row>{};
    const std::size_t all = pending.size();
    std::erase_if(pending, [&](const Task& task) { return is_done(done, measure.key(task)); });
    if (lab.backend->is_timed()) estimate(pending, lab, options, measure);

    double expected_s = 0;
    for (const auto& task : pending) expected_s += task.expected_s;
    if (options.plan) {
        std::cout << std::lround(std::ceil(expected_s)) << '\n';
        return 0;
    }
    Progress progress(lab.name, expected_s);
    progress.begin(all, all - pending.size(), options.iterations, options.warmup);
    int failed = 0;
    for (const auto& task : pending) {
        progress.task(task.variant->name, task.size.name, task.settings.threads,
                      task.settings.block, task.expected_s);
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
