// SPDX-License-Identifier: MIT
// simd_created -- simd_rows, with new threads in each run
// Source: new.
// Idea: this variant shows what it costs to create threads for work that takes a millisecond.
// Since simd_rows: pthread_create and pthread_join in the timed run replace the two barriers.
// Limit: as in simd_rows; for small pictures, the creation of the threads.
// Alone: build/labs/02_pthread/lab bench --variant simd_rows,simd_created --size 1080p
#include "common/row_filter/row_filter.hpp"
#include "common/variant/cpu_variant.hpp"
#include "labs/02_pthread/shared/threads.hpp"
#include "labs/02_pthread/variants.hpp"

namespace convolab {
namespace {

struct Filter {
    explicit Filter(const Job& job)
        : filter(job), count(job.settings.threads), scratch(count, filter.make_scratch()) {}

    static constexpr bool makes_whole_frame = true;
    RowFilter filter;
    int count;
    std::vector<RowFilter::Scratch> scratch;
};

void convolve(Filter& job, Image& result) {
    const std::int64_t height = result.height();
    Threads threads;
    for (int t = 0; t < job.count; ++t) {
        const std::int64_t first = height * t / job.count;
        const std::int64_t last = height * (t + 1) / job.count;
        threads.start(
            [&, first, last, t] { job.filter.rows(first, last, result, job.scratch[t]); });
    }
    threads.join();
}

}  // namespace

const Variant simd_created = cpu_variant({.name = "simd_created",
                                          .idea = "simd_rows, threads created in each run",
                                          .uses = kUsesThreads},
                                         convolve);

}  // namespace convolab
