// SPDX-License-Identifier: MIT
// lab bench: one row for every size, filter side, variant and setting. The configurations of a size
// are set up together, as many as fit in memory, and take turns in rounds. Their rows are written
// when the rounds have ended. A run that was stopped continues with what is missing.
#include <algorithm>
#include <iostream>
#include <memory>
#include <optional>
#include <utility>

#include "common/driver/commands.hpp"
#include "common/driver/interrupts.hpp"
#include "common/driver/measurement.hpp"
#include "common/driver/progress.hpp"
#include "common/driver/rounds.hpp"
#include "common/driver/supervisor.hpp"
#include "common/driver/tasks.hpp"
#include "common/measurement/cpu_backend.hpp"
#include "common/measurement/results.hpp"
#include "common/threads/cpus.hpp"

namespace convolab {
namespace {

/// Tasks of one size, set up.
struct Group {
    std::vector<Task> tasks;
    std::vector<std::unique_ptr<Measurement>> measurements;
};

/// Takes the next tasks as long as they have the same size and fit in memory beside each other.
Group set_up_next(BenchSession& session, const std::vector<Task>& tasks, std::size_t first,
                  BenchProgress& progress) {
    Group group;
    for (std::size_t i = first; i < tasks.size() && !interrupted(); ++i) {
        const Task& task = tasks[i];
        if (i > first &&
            (task.size.name != tasks[first].size.name || !fits_in_group(session, task)))
            break;
        progress.set_up(task);
        group.tasks.push_back(task);
        group.measurements.push_back(std::make_unique<Measurement>(session, task));
        if (!group.measurements.back()->is_open()) progress.done(task, session.options.rounds);
    }
    return group;
}

/// The results of a group, in the order of its tasks; none if it was interrupted.
std::vector<BenchResult> measure(BenchSession& session, Group& group, BenchProgress& progress) {
    if (interrupted()) return {};
    const Options& options = session.options;
    std::vector<std::size_t> open;
    for (std::size_t i = 0; i < group.measurements.size(); ++i)
        if (group.measurements[i]->is_open()) open.push_back(i);
    std::optional<CopyTimes> copy;  // takes turns, too
    for (const std::size_t i : open)
        if (group.measurements[i]->needs_cpu_copy() && !copy)
            copy.emplace(kCeilingBytes, core_count(), copies());
    const auto turn = [&](std::size_t which, int round) {
        if (which == open.size()) return copy->time(std::max(3, kCopyRuns / options.rounds));
        const Task& task = group.tasks[open[which]];
        progress.turn(task, round);
        group.measurements[open[which]]->turn(round);
        progress.done(task);
    };
    take_turns(open.size() + (copy ? 1 : 0), options.rounds, options.seed, turn, interrupted);
    std::vector<BenchResult> results;
    for (std::size_t i = 0; i < group.measurements.size() && !interrupted(); ++i)
        results.push_back(group.measurements[i]->finish(
            open.size(), copy ? std::optional(copy->fastest()) : std::nullopt));
    if (interrupted()) results.clear();
    return results;
}

}  // namespace

int bench_command(const Lab& lab, const Options& options) {
    if (options.count) {
        std::cout << rows_of_bench(options) << '\n';
        return 0;
    }
    catch_interrupts();
    Tasks tasks(lab, options);
    const auto columns = names(timing_columns());
    std::optional<ResultFile> file;  // unchanged until the first row is there
    std::vector<Row> done;
    if (!options.csv.empty()) {
        file.emplace(options.csv, columns, options.fresh && is_first_child());
        done = file->rows();
        add_sessions({}, options.csv);  // before the work, so that an unwritable file costs none
    }
    done = with_sessions(std::move(done), options.csv);
    const BenchPlan plan(lab, options, tasks, done);
    if (plan.left_out > 0)
        std::cerr << lab.name << ": " << plan.left_out
                  << " configurations are left out: they need a GPU to be timed\n";
    if (plan.all == 0) return 0;
    BenchSession session(lab, options, tasks);
    BenchProgress progress(lab.name, options, plan.pending);
    progress.begin(plan.all);
    int failed = 0;
    for (std::size_t first = 0; first < plan.pending.size();) {
        Group group = set_up_next(session, plan.pending, first, progress);
        const auto results = measure(session, group, progress);
        if (interrupted()) {
            progress.interrupted(file ? options.csv : "");
            return interrupted_exit_code();
        }
        std::vector<Row> rows;
        for (const BenchResult& result : results) rows.push_back(result.row());
        if (file) file->append_all(add_sessions(std::move(rows), options.csv));
        for (std::size_t i = 0; i < results.size(); ++i) {
            progress.row(group.tasks[i], results[i]);
            failed += results[i].words.at("status") == "failed";
        }
        first += group.tasks.size();
    }
    progress.end();
    if (failed == 0) return 0;
    std::cerr << "error: " << lab.name << ": some configurations failed"
              << (file ? "; their rows in " + options.csv + " say how" : "") << '\n';
    return 1;
}

}  // namespace convolab
