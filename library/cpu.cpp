// SPDX-License-Identifier: MIT
#include <algorithm>
#include <mutex>

#include "common/row_filter/row_filter.hpp"
#include "common/threads/thread_team.hpp"
#include "library/task.hpp"

namespace convolab::lib {

/// What a thread has to have, so that waking it pays: measured with 1 to 16 threads that slept between
/// the calls, gray and RGB pictures of 320 x 240 to 1920 x 1080, and filters of 3x3 to 9x9.
constexpr std::int64_t kMultiplyAdds = 5'000'000;

static int threads_for(const Job& job, int most) {
    const std::int64_t ksize = job.filter.ksize();
    const std::int64_t of_sample = job.filter.outer_product() ? 2 * ksize : ksize * ksize;
    const std::int64_t all =
        job.out_width() * job.out_height() * job.image().channels() * of_sample;
    return static_cast<int>(std::clamp<std::int64_t>(all / kMultiplyAdds, 1, most));
}

struct Cpu::Plan : PlannedJob {
    Plan(const Task& task, int most)
        : PlannedJob(task),
          filter(job),
          scratch(threads_for(job, most), filter.make_scratch()),
          team(static_cast<int>(scratch.size())) {}

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
int Cpu::threads() const { return static_cast<int>(plan_->scratch.size()); }

std::vector<std::int32_t> gaussian(int ksize, double sigma) {
    if (!(sigma >= 0) || std::isinf(sigma))
        throw Error("Sigma is " + std::to_string(sigma) +
                    ": give a positive number, or 0 for the one that fits the side.");
    return guarded([&] {
        const auto row = gaussian_taps(ksize, sigma > 0 ? std::optional(sigma) : std::nullopt);
        std::vector<std::int32_t> taps;
        for (const std::int32_t above : row)
            for (const std::int32_t along : row) taps.push_back(above * along);
        return taps;
    });
}

}  // namespace convolab::lib
