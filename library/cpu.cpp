// SPDX-License-Identifier: MIT
#include <mutex>

#include "common/row_filter/row_filter.hpp"
#include "common/threads/thread_team.hpp"
#include "library/task.hpp"

namespace convolab::lib {

struct Cpu::Plan : PlannedJob {
    Plan(const Task& task, int count)
        : PlannedJob(task), filter(job), scratch(count, filter.make_scratch()), team(count) {}

    RowFilter filter;
    std::vector<RowFilter::Scratch> scratch;  // of each thread
    ThreadTeam team;
    std::mutex in_use;
};

Cpu::Cpu(const Task& task, int threads) {
    if (threads < 1 || threads > 1024)
        throw Error("A team of " + std::to_string(threads) +
                    " threads is not possible: choose 1 to 1024.");
    plan_ = guarded([&] { return std::make_shared<Plan>(task, threads); });
}

void Cpu::run(const Input& in, const Output& out) const {
    guarded([&] {
        check_views(plan_->job, in, out);
        const std::lock_guard lock(plan_->in_use);
        const std::int64_t count = std::ssize(plan_->scratch);
        const auto band = [&](int t) {
            plan_->filter.rows(out.height * t / count, out.height * (t + 1) / count,
                               {in.data, in.pitch}, {out.data, out.pitch},
                               plan_->scratch[static_cast<std::size_t>(t)]);
        };
        plan_->team.run(std::ref(band));  // a reference: std::function allocates nothing
    });
}

std::string Cpu::which() const { return plan_->filter.form(); }

}  // namespace convolab::lib
