// SPDX-License-Identifier: MIT
#include "common/driver/tasks.hpp"

#include <algorithm>
#include <utility>

#include "common/base/error.hpp"
#include "common/driver/memory.hpp"
#include "common/measurement/columns.hpp"
#include "common/measurement/machine.hpp"
#include "common/threads/cpus.hpp"

namespace convolab {

Row origin_row(const Lab& lab, const Variant& variant) {
    const Backend& backend = lab.backend_of(variant);
    const BuildInfo& build = build_info();
    return {{"lab", lab.name},
            {"variant", variant.name},
            {"backend", backend.name()},
            {"machine", machine_name()},
            {"device", backend.device()},
            {"gpus", backend.gpus() > 0 ? std::to_string(backend.gpus()) : ""},
            {"driver", backend.driver()},
            {"compiler", build.compiler},
            {"flags", build.flags},
            {"build", build.build},
            {"revision", build.revision},
            {"date", utc_now()}};
}

std::string describe(const Task& task) {
    const std::string settings = describe(task.settings, task.variant->uses);
    return task.variant->name + ' ' + task.size.name +
           (task.ksize > 0 ? ", K " + std::to_string(task.ksize) : "") +
           (settings.empty() ? "" : ", ") + settings;
}

Tasks::Tasks(const Lab& lab, const Options& options)
    : lab_(lab), options_(options), source_(options.image, options.data) {
    if (source_.size())
        throw UsageError("Option --image: '" + options.image +
                         "' contains a size; give the size with --size.");
}

std::vector<Image> Tasks::frames(const Size& size, int channels, PixelType type) const {
    return source_.frames(size, channels, type, lab_.operation.frames);
}

Job Tasks::job(const Task& task, const std::vector<Image>& frames) const {
    Job job{{}, options_.filter_of(task.ksize), options_.border, task.settings};
    job.cold = options_.cold;
    for (const auto& frame : frames) job.frames.push_back(&frame);
    return job;
}

double Tasks::expected_s(const Task& task) const {
    const double k = options_.filter_of(task.ksize).ksize();
    return slow_run_s(static_cast<double>(task.size.width) * static_cast<double>(task.size.height) *
                      channels_of(task) * k * k * filters_of(*task.variant, task.settings));
}

Row Tasks::key(const Task& task) const {
    Row row = origin_row(lab_, *task.variant);
    const Filter& filter = options_.filter_of(task.ksize);
    row["image"] = source_.name();
    row["size"] = task.size.name;
    row["width"] = std::to_string(task.size.width);
    row["height"] = std::to_string(task.size.height);
    row["channels"] = std::to_string(channels_of(task));
    row["type"] = to_string(type_of(task));
    if (lab_.operation.has_filter) {
        row["filter"] = filter.name() == "typed" ? options_.filter : filter.name();
        if (options_.sigma) row["filter"] += " sigma " + to_decimal(*options_.sigma);
        row["ksize"] = std::to_string(filter.ksize());
        row["border"] = to_string(options_.border);
    }
    Settings settings = task.settings;
    settings.bands = settings.bands_or_streams();
    row["settings"] = to_words(settings, task.variant->uses);
    row["iterations"] = std::to_string(options_.iterations);
    row["warmup"] = std::to_string(options_.warmup);
    row["cold"] = options_.cold ? "1" : "0";
    row["rounds"] = std::to_string(options_.rounds);
    row["pinning"] = options_.pinning;
    return row;
}

Tasks::CaseKey Tasks::case_key(const Task& task) const {
    return {&lab_.operation_of(*task.variant),
            to_string(type_of(task)) + std::to_string(channels_of(task)) + ' ' +
                std::to_string(task.ksize) + ' ' +
                std::to_string(filters_of(*task.variant, task.settings))};
}

const Case& Tasks::truth(const Task& task) {
    if (task.size.name != cases_size_) cases_.clear();
    cases_size_ = task.size.name;
    const CaseKey key = case_key(task);
    const auto found = cases_.find(key);
    if (found != cases_.end()) return found->second;
    const PixelType type = type_of(task);
    const int channels = channels_of(task);
    const Operation& operation = *key.first;
    require_picture_memory(task.size, channels, type, lab_.operation.frames);
    const NotPinned all_cpus;  // the reference has its own threads
    Case made{frames(task.size, channels, type), {}, {}};
    Job job = this->job(task, made.frames);
    made.expected = Expected(operation, job);
    if (lab_.operation.frames == 2) {
        std::swap(job.frames[0], job.frames[1]);
        made.backward = Expected(operation, job);
    }
    return cases_[key] = std::move(made);
}

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

}  // namespace

std::size_t rows_of_bench(const Options& options) { return all_tasks(options).size(); }

BenchPlan::BenchPlan(const Lab& lab, const Options& options, const Tasks& tasks,
                     const std::vector<Row>& done) {
    pending = all_tasks(options);
    if (options.only_timed)
        left_out = std::erase_if(
            pending, [&](const Task& task) { return !lab.backend_of(*task.variant).is_timed(); });
    all = pending.size();
    std::erase_if(pending, [&](const Task& task) { return is_done(done, tasks.key(task)); });
}

}  // namespace convolab
