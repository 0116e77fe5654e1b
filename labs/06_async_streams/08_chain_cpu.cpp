// SPDX-License-Identifier: MIT
// chain_cpu -- the same filters on all cores of the CPU, for comparison
// Source: new.
// Idea: lab 02's simd_rows, one filter after the other, between two pictures in host memory.
//     Nothing is copied. The threads wait for each other after each filter, because the next one
//     reads rows that other threads have written.
// Since chain: the CPU instead of the GPU.
// Limit: with small pictures the threads, which wait for each other after each filter. With large
//     pictures the instructions of each core, together with memory bandwidth.
// Alone: build/labs/06_async_streams/lab bench --variant chain,chain_cpu --filters 1,2,4,8,16
//     --size 1080p,4k
#include <memory>
#include <vector>

#include "common/measurement/cpu_backend.hpp"
#include "common/row_filter/row_filter.hpp"
#include "common/threads/thread_team.hpp"
#include "common/variant/cpu_variant.hpp"
#include "labs/06_async_streams/parts/chain.hpp"
#include "labs/06_async_streams/variants.hpp"

namespace convolab::async_streams {
namespace {

/// Filters that read the job's picture, the first picture between, the second.
struct Pictures {
    explicit Pictures(const Job& job)
        : filters(job.settings.filters),
          count(job.settings.threads),
          between{same_size(job), same_size(job)},
          from_input(job),
          from_between{std::make_unique<RowFilter>(on(job, between[0])),
                       std::make_unique<RowFilter>(on(job, between[1]))},
          scratch(static_cast<std::size_t>(count), from_input.make_scratch()),
          threads(count) {}

    static constexpr bool makes_whole_frame = true;

    static Image same_size(const Job& job) {
        require_chain(job);
        const Image& image = job.image();
        return {image.width(), image.height(), image.channels()};
    }
    static Job on(Job job, const Image& image) {
        job.frames = {&image};
        return job;
    }

    int filters, count;
    Image between[2];
    RowFilter from_input;
    std::unique_ptr<RowFilter> from_between[2];
    std::vector<RowFilter::Scratch> scratch;
    ThreadTeam threads;
};

void convolve(Pictures& pictures, Image& result) {
    const std::int64_t height = result.height();
    for (int i = 0; i < pictures.filters; ++i) {
        const RowFilter& filter =
            i == 0 ? pictures.from_input : *pictures.from_between[(i - 1) % 2];
        Image& out = i == pictures.filters - 1 ? result : pictures.between[i % 2];
        pictures.threads.run([&](int t) {
            filter.rows(height * t / pictures.count, height * (t + 1) / pictures.count, out,
                        pictures.scratch[static_cast<std::size_t>(t)]);
        });
    }
}

MemoryNeed memory_of_pictures(const Job& job) {
    return {3 * static_cast<std::int64_t>(job.image().bytes()), 0};
}

}  // namespace

const Variant chain_cpu = cpu_variant({.name = "chain_cpu",
                                       .idea = "the same filters on all cores of the CPU",
                                       .uses = kUsesThreads | kUsesFilters,
                                       .memory = memory_of_pictures,
                                       .backend = &cpu_backend(),
                                       .operation = &chain_of_filters()},
                                      convolve);

}  // namespace convolab::async_streams
