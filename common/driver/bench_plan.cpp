// Copyright (c) 2026 The Convolab authors
// SPDX-License-Identifier: MIT
#include "common/driver/bench_plan.hpp"

#include <algorithm>
#include <chrono>
#include <map>
#include <set>
#include <utility>

#include "common/base/error.hpp"
#include "common/driver/supervisor.hpp"
#include "common/measurement/columns.hpp"

namespace convolab {
namespace {

std::vector<Task> all_tasks(const Options& options) {
    std::vector<Task> all;
    for (const auto& size : options.sizes)
        for (const int ksize : options.ksizes_or_default())
            for (const auto* variant : options.variants)
                for (const auto& settings : combinations(variant->uses, options.settings))
                    all.push_back({variant, size, ksize, settings, all.size()});
    return all;
}

/// Whether the file already holds this measurement. The layout is the variant's own and not known
/// before it ran. A row that was skipped or failed is tried again.
bool is_done(const std::vector<Row>& rows, const Row& key) {
    for (const auto& row : rows) {
        if (row.at("status") != "ok" && row.at("status") != "unsupported") continue;
        const auto same = [&](const Column& column) {
            const auto found = key.find(column.name);
            return !column.key || column.name == "layout" ||
                   row.at(column.name) == (found == key.end() ? "" : found->second);
        };
        const auto &own = timing_columns(), &of_session = session_columns();
        if (std::all_of(own.begin(), own.end(), same) &&
            std::all_of(of_session.begin(), of_session.end(), same))
            return true;
    }
    return false;
}

double seconds_since(std::chrono::steady_clock::time_point start) {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

/// Of one configuration on a small picture.
struct Cost {
    double set_up_s = 0;  ///< and verify
    double upload_s = 0;
    double run_s = 0;  ///< all that one iteration times
};

Cost cost_of(const Task& task, const Lab& lab, const Options& options, const Tasks& tasks,
             const Size& small) {
    Backend& backend = lab.backend_of(*task.variant);
    const auto images = tasks.frames(small, tasks.channels_of(task), tasks.type_of(task));
    const Job job = tasks.job(task, images);
    Cost cost;
    Task on_small = task;
    on_small.size = small;
    const RunningVariant running(task.variant->name, describe(on_small), options.limit_s(0));
    auto start = std::chrono::steady_clock::now();
    const auto convolver = make_convolver(*task.variant, job);
    output_of(*convolver);
    cost.set_up_s = seconds_since(start);
    if (!backend.is_timed()) return cost;  // its one run is done
    start = std::chrono::steady_clock::now();
    convolver->upload();
    cost.upload_s = seconds_since(start);
    if (!task.variant->run_copies) cost.run_s = backend.time_ms([&] { convolver->run(); }) / 1e3;
    if (task.variant->run_copies || (backend.name() != "cpu" && !options.kernel_only)) {
        start = std::chrono::steady_clock::now();
        convolver->next_frame();
        convolver->run();
        convolver->download();
        cost.run_s += seconds_since(start);
    }
    return cost;
}

double pixels(const Size& size) { return static_cast<double>(size.width * size.height); }

/// Seconds that the frames of a task and what is right for them take, per pixel. All CPUs make
/// them, so the picture is large enough for all.
double case_s_per_pixel(Task task, Tasks& tasks) {
    task.size = {"640x360", 640, 360};
    const auto start = std::chrono::steady_clock::now();
    try {
        tasks.truth(task);
    } catch (const UsageError&) {
        throw;
    } catch (const std::exception&) {  // its row will say why
    }
    return seconds_since(start) / pixels(task.size);
}

}  // namespace

std::size_t rows_of_bench(const Options& options) { return all_tasks(options).size(); }

BenchPlan::BenchPlan(const Lab& lab, const Options& options, Tasks& tasks,
                     const std::vector<Row>& done) {
    pending = all_tasks(options);
    if (options.only_timed)
        left_out = std::erase_if(
            pending, [&](const Task& task) { return !lab.backend_of(*task.variant).is_timed(); });
    all = pending.size();
    std::erase_if(pending, [&](const Task& task) {
        return is_finished(task.number) || is_done(done, tasks.key(task));
    });

    const Size small{"256x144", 256, 144};
    std::map<std::string, Cost> costs;
    std::map<Tasks::CaseKey, double> case_s;  // of a pixel
    std::set<std::pair<std::string, Tasks::CaseKey>> made;
    for (Task& task : pending) {
        const std::string name = task.variant->name + ' ' + std::to_string(task.ksize) + ' ' +
                                 describe(task.settings, task.variant->uses);
        if (!costs.contains(name)) {
            Cost& cost = costs[name];
            try {
                if (!earlier_failure(task.variant->name))
                    cost = cost_of(task, lab, options, tasks, small);
            } catch (const UsageError&) {
                throw;
            } catch (const std::exception& why) {  // else its row will say why
                if (!lab.backend_of(*task.variant).works())
                    start_again_without(task.variant->name, describe(task),
                                        std::string("failed (") + why.what() + ")");
            } catch (...) {
            }
        }
        const Cost& cost = costs[name];
        const int runs = options.iterations + options.rounds * options.warmup;
        task.expected_s = (cost.set_up_s + options.rounds * cost.upload_s + runs * cost.run_s) *
                          pixels(task.size) / pixels(small);
        const auto key = tasks.case_key(task);
        if (made.insert({task.size.name, key}).second) {
            if (!case_s.contains(key)) case_s[key] = case_s_per_pixel(task, tasks);
            task.expected_s += case_s[key] * pixels(task.size);
        }
        expected_s += task.expected_s;
    }
}

}  // namespace convolab
