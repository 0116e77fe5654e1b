// Copyright (c) 2026 The Convolab authors
// SPDX-License-Identifier: MIT
#include <algorithm>
#include <chrono>
#include <functional>
#include <limits>
#include <map>
#include <memory>
#include <set>
#include <utility>

#include "common/base/error.hpp"
#include "common/driver/bench.hpp"
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

double pixels(const Size& size) { return static_cast<double>(size.width * size.height); }

/// A call that takes as long says what the work takes, not what it takes to start it.
constexpr double kEnough_s = 0.01;

/// The shortest of three calls, unless they are long: something else may have run during one.
double shortest_s(const std::function<void()>& call) {
    double best = std::numeric_limits<double>::max();
    for (int i = 0; i < 3; ++i) {
        const auto start = std::chrono::steady_clock::now();
        call();
        best = std::min(best, seconds_since(start));
        if (best > 5 * kEnough_s) break;
    }
    return best;
}

/// Of one configuration, in seconds.
struct Cost {
    double set_up = 0;  ///< and verify
    double upload = 0;
    double run = 0;  ///< all that one iteration times
};

Cost cost_of(const Task& task, const Lab& lab, const Options& options, const Tasks& tasks) {
    Backend& backend = lab.backend_of(*task.variant);
    const auto images = tasks.frames(task.size, tasks.channels_of(task), tasks.type_of(task));
    const Job job = tasks.job(task, images);
    const bool copies = task.variant->run_copies;
    Cost cost;
    const RunningVariant running(task.variant->name, describe(task), options.limit_s(0));
    std::unique_ptr<Convolver> convolver;
    cost.set_up = shortest_s([&] {
        convolver.reset();
        convolver = make_convolver(*task.variant, job);
        output_of(*convolver);
    });
    if (!backend.is_timed()) return cost;  // its one run is done
    cost.upload = shortest_s([&] { convolver->upload(); });
    if (!copies) cost.run = shortest_s([&] { backend.time_ms([&] { convolver->run(); }); });
    if (copies || (backend.name() != "cpu" && !options.kernel_only)) {
        const double whole = shortest_s([&] {
            convolver->next_frame();
            convolver->run();
            convolver->download();
        });
        cost.run += (copies || lab.operation.frames == 1 ? 1 : 2) * whole;  // BenchRow::turn
    }
    return cost;
}

/// Of a pixel. The picture grows until a call takes long enough, or is as large as the largest.
Cost cost_of_pixel(Task task, const Lab& lab, const Options& options, const Tasks& tasks,
                   const Size& largest) {
    for (const Size& size :
         {Size{"256x144", 256, 144}, Size{"960x540", 960, 540}, Size{"1920x1080", 1920, 1080}}) {
        const bool last = pixels(size) >= pixels(largest) || size.width == 1920;
        task.size = pixels(size) > pixels(largest) ? largest : size;
        const Cost cost = cost_of(task, lab, options, tasks);
        const double n = pixels(task.size);
        // Without a time the one run is in set_up.
        if (last || (cost.run > 0 ? cost.run : cost.set_up) > kEnough_s)
            return {cost.set_up / n, cost.upload / n, cost.run / n};
    }
    return {};
}

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

    Size largest{"", 0, 0};
    for (const Task& task : pending)
        if (pixels(task.size) > pixels(largest)) largest = task.size;
    std::set<Backend*> begun;
    std::map<std::string, Cost> costs;        // of a pixel
    std::map<Tasks::CaseKey, double> case_s;  // of a pixel
    std::set<std::pair<std::string, Tasks::CaseKey>> made;
    for (Task& task : pending) {
        const std::string name = task.variant->name + ' ' + std::to_string(task.ksize) + ' ' +
                                 describe(task.settings, task.variant->uses);
        if (!costs.contains(name)) {
            Cost& cost = costs[name];
            try {
                Task small = task;
                small.size = {"256x144", 256, 144};
                if (!earlier_failure(task.variant->name)) {
                    if (begun.insert(&lab.backend_of(*task.variant)).second)  // a slow first call
                        cost_of(small, lab, options, tasks);
                    cost = cost_of_pixel(task, lab, options, tasks, largest);
                }
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
        task.expected_s =
            (cost.set_up + options.rounds * cost.upload + runs * cost.run) * pixels(task.size);
        const auto key = tasks.case_key(task);
        if (made.insert({task.size.name, key}).second) {
            if (!case_s.contains(key)) case_s[key] = case_s_per_pixel(task, tasks);
            task.expected_s += case_s[key] * pixels(task.size);
        }
        expected_s += task.expected_s;
    }
}

}  // namespace convolab
