// SPDX-License-Identifier: MIT
// cpu_threads -- cpu_simd, a band of rows per thread
// Source: new.
// Idea: each thread filters a band of both frames, in its own memory, and compares the results. It
//     reads K / 2 rows of each neighbour's band, but writes none of them. So no thread waits for
//     another.
// Since cpu_simd: it uses all cores.
// Limit: arithmetic, as in cpu_simd; with many cores, memory bandwidth.
// Alone: build/labs/10_noise_filter/lab bench --variant cpu_simd,cpu_threads --threads 1,2
//     --size 1080p
#include "common/measurement/cpu_backend.hpp"
#include "common/noise_map/mark_rows.hpp"
#include "common/threads/thread_team.hpp"
#include "common/variant/cpu_variant.hpp"
#include "common/variant/frame_pair.hpp"
#include "labs/10_noise_filter/parts/frame_filter.hpp"
#include "labs/10_noise_filter/variants.hpp"

namespace convolab::noise_filter {
namespace {

struct Team : FramePair {
    explicit Team(const Job& job)
        : FramePair(job),
          filters{{job, previous()}, {job, current()}},
          count(job.settings.threads),
          scratch(static_cast<std::size_t>(count), filters[0].make_scratch()),
          filtered{previous().copy(), current().copy()},
          threads(count) {}

    FrameFilter filters[2];
    int count;
    std::vector<FrameFilter::Scratch> scratch;
    Image filtered[2];
    noise::MarkRows mark_rows = noise::fastest_mark_rows();
    ThreadTeam threads;
};

void filter_and_compare(Team& team, Image& result) {
    const std::int64_t height = result.height(), width = result.width();
    team.threads.run([&](int t) {
        const std::int64_t first = height * t / team.count, last = height * (t + 1) / team.count;
        for (int i = 0; i < 2; ++i)
            team.filters[i].rows(first, last, team.filtered[i],
                                 team.scratch[static_cast<std::size_t>(t)]);
        const std::int64_t at = 3 * first * width;
        team.mark_rows(team.filtered[0].data<std::uint8_t>() + at,
                       team.filtered[1].data<std::uint8_t>() + at, result.data<std::uint8_t>() + at,
                       (last - first) * width);
    });
}

}  // namespace

const Variant cpu_threads = cpu_variant({.name = "cpu_threads",
                                         .idea = "cpu_simd, a band of rows for each thread",
                                         .uses = kUsesThreads,
                                         .channels = {3},
                                         .backend = &cpu_backend()},
                                        filter_and_compare);

}  // namespace convolab::noise_filter
