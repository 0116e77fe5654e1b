// SPDX-License-Identifier: MIT
// simd_rows -- lab 01's simd, one band of rows per thread
// Source: new.
// Idea: each thread filters a band of rows with common/row_filter, with its own working memory. The
//     threads are created once, before the clock starts. Two barriers begin and end each run
//     (common/threads/thread_team.cpp).
// Since queue: bytes replace vectors of floats, SIMD instructions do 2K multiply-adds per sample
//     instead of K^2, and no thread is created in the timed run.
// Limit: with few threads, the arithmetic of each; with many, the cache or memory that they share.
// Alone: build/labs/02_pthread/lab bench --variant simd_rows --threads 1,2 --size 1080p
#include "common/row_filter/row_filter.hpp"
#include "common/threads/thread_team.hpp"
#include "common/variant/cpu_variant.hpp"
#include "labs/02_pthread/variants.hpp"

namespace convolab {
namespace {

struct Team {
    explicit Team(const Job& job)
        : filter(job),
          count(job.settings.threads),
          scratch(count, filter.make_scratch()),
          threads(count) {}

    static constexpr bool makes_whole_frame = true;
    RowFilter filter;
    int count;
    std::vector<RowFilter::Scratch> scratch;
    ThreadTeam threads;
};

void convolve(Team& team, Image& result) {
    const std::int64_t height = result.height();
    team.threads.run([&](int t) {
        const std::int64_t first = height * t / team.count;
        const std::int64_t last = height * (t + 1) / team.count;
        team.filter.rows(first, last, result, team.scratch[t]);
    });
}

}  // namespace

const Variant simd_rows = cpu_variant({.name = "simd_rows",
                                       .idea = "lab 01's simd, a band of rows for each thread",
                                       .uses = kUsesThreads},
                                      convolve);

}  // namespace convolab
