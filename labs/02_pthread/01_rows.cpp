// Copyright (c) 2026 The Convolab authors
// SPDX-License-Identifier: MIT
//
// rows -- one band of rows per thread
// Source: ariano2023, section 3.4.1.
// Idea: with n threads, each computes floor(H / n) rows of the output; the last one also takes the
//     remainder. No thread writes what another reads or writes, so nothing has to be locked.
// Since nested (lab 01): the same loops (shared/nested_part.cpp), over a part of the rows.
// Limit: static scheduling. The slowest thread sets the time: the last one, which has up to n - 1
//     rows more, or one that another program delays.
// Alone: build/labs/02_pthread/lab bench --variant rows --threads 1,2 --size 1080p
#include "common/variant/cpu_variant.hpp"
#include "labs/02_pthread/shared/nested_part.hpp"
#include "labs/02_pthread/shared/threads.hpp"

namespace convolab {
namespace {

void convolve_rows(const ThreadedNested& job, Image& result) {
    const std::int64_t height = result.height();
    const std::int64_t share = height / job.threads;
    Threads threads;
    for (int t = 0; t < job.threads; ++t) {
        const std::int64_t first = t * share;
        const std::int64_t last = t == job.threads - 1 ? height : first + share;
        threads.start([&, first, last] {
            convolve(job, {0, first, result.width(), last}, result);
        });
    }
    threads.join();
}

}  // namespace

extern const Variant rows;
const Variant rows =
    cpu_variant({.name = "rows", .idea = "a band of rows for each thread", .uses = kUsesThreads},
                convolve_rows);

}  // namespace convolab
