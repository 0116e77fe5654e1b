// SPDX-License-Identifier: MIT
#include <algorithm>
#include <chrono>
#include <functional>
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

double pixels(const Size& size) { return static_cast<double>(size.width * size.height); }

/// A call that takes as long says what the work takes, not what it takes to start it.
constexpr double kEnough_s = 0.01;

double seconds_of(const std::function<void()>& call) {
    const auto start = std::chrono::steady_clock::now();
    call();
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

/// The shortest of three calls, unless they are long: something else may have run during one.
double shortest_s(const std::function<void()>& call) {
    double best = seconds_of(call);
    for (int i = 1; i < 3 && best < 5 * kEnough_s; ++i) best = std::min(best, seconds_of(call));
    return best;
}

/// Forecasts what tasks take: runs each configuration and makes each case once, on small pictures.
class Forecast {
  public:
    Forecast(const Lab& lab, const Options& options, Tasks& tasks, const Size& largest)
        : lab_(lab), options_(options), tasks_(tasks), largest_(largest) {}

    /// With the case, of the first task that needs it.
    double seconds(const Task& task);

  private:
    /// Of one pixel, in seconds: all that happens in the rounds, and before them.
    double pixel_s(Task task);
    /// The same of this picture. is_long: long enough to say what the work takes.
    double picture_s(const Task& task, bool& is_long);
    /// Of one pixel: the frames of a task and what is right for them.
    double case_s(Task task);

    const Lab& lab_;
    const Options& options_;
    Tasks& tasks_;
    const Size largest_;
    std::map<std::string, double> pixel_s_;
    std::map<Tasks::CaseKey, double> case_s_;
    std::set<std::pair<std::string, Tasks::CaseKey>> made_;
};

double Forecast::seconds(const Task& task) {
    const std::string name = task.variant->name + ' ' + std::to_string(task.ksize) + ' ' +
                             describe(task.settings, task.variant->uses);
    if (!pixel_s_.contains(name)) pixel_s_[name] = pixel_s(task);
    double s = pixel_s_[name];
    const auto key = tasks_.case_key(task);
    if (made_.insert({task.size.name, key}).second) {
        if (!case_s_.contains(key)) case_s_[key] = case_s(task);
        s += case_s_[key];
    }
    return s * pixels(task.size);
}

/// The picture grows until a call takes long enough, or is as large as the largest.
double Forecast::pixel_s(Task task) try {
    if (earlier_failure(task.variant->name)) return 0;
    for (const Size& size :
         {Size{"256x144", 256, 144}, Size{"960x540", 960, 540}, Size{"1920x1080", 1920, 1080}}) {
        const bool last = pixels(size) >= pixels(largest_) || size.width == 1920;
        task.size = pixels(size) > pixels(largest_) ? largest_ : size;
        bool is_long = false;
        const double s = picture_s(task, is_long);
        if (last || is_long) return s / pixels(task.size);
    }
    return 0;
} catch (const UsageError&) {
    throw;
} catch (const std::exception& why) {  // else its row will say why
    if (!lab_.backend_of(*task.variant).works())
        start_again_without(task.variant->name, describe(task),
                            std::string("failed (") + why.what() + ")");
    return 0;
} catch (...) {
    return 0;
}

double Forecast::picture_s(const Task& task, bool& is_long) {
    Backend& backend = lab_.backend_of(*task.variant);
    const auto images = tasks_.frames(task.size, tasks_.channels_of(task), tasks_.type_of(task));
    const Job job = tasks_.job(task, images);
    const RunningVariant running(task.variant->name, describe(task), options_.limit_s(0));
    std::unique_ptr<Convolver> convolver;
    const double set_up_s = shortest_s([&] {  // and verify
        convolver.reset();
        convolver = make_convolver(*task.variant, job);
        output_of(*convolver);
    });
    is_long = set_up_s > kEnough_s;
    if (!backend.is_timed()) return set_up_s;  // its one run is done
    const double upload_s = shortest_s([&] { convolver->upload(); });
    const bool copies = task.variant->run_copies;
    double run_s = 0;
    if (!copies) run_s = shortest_s([&] { backend.time_ms([&] { convolver->run(); }); });
    if (copies || (backend.name() != "cpu" && !options_.kernel_only)) {
        const double whole = shortest_s([&] {
            convolver->next_frame();
            convolver->run();
            convolver->download();
        });
        run_s += (copies || lab_.operation.frames == 1 ? 1 : 2) * whole;  // Measurement::turn
    }
    is_long = run_s > kEnough_s;
    return set_up_s + options_.rounds * upload_s +
           (options_.iterations + options_.rounds * options_.warmup) * run_s;
}

/// All CPUs make them, so the picture is large enough for all.
double Forecast::case_s(Task task) {
    task.size = {"640x360", 640, 360};
    const double s = seconds_of([&] {
        try {
            tasks_.truth(task);
        } catch (const UsageError&) {
            throw;
        } catch (const std::exception&) {  // its row will say why
        }
    });
    return s / pixels(task.size);
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
    Forecast forecast(lab, options, tasks, largest);
    for (Task& task : pending) expected_s += task.expected_s = forecast.seconds(task);
}

}  // namespace convolab
