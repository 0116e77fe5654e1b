// SPDX-License-Identifier: MIT
// queue -- each thread takes the next block
// Source: new.
// Idea: dynamic scheduling. No thread owns a block in advance; each takes the next number from an
//     atomic counter until no block is left.
// Since blocks: load balancing. A thread that is delayed takes fewer blocks, so all threads finish
//     nearly together. The cost is one atomic addition per block.
// Limit: instructions, as in nested; with tiny blocks, the atomic counter.
// Alone: build/labs/02_pthread/lab bench --variant queue --block 4,16,64 --size 1080p
#include <atomic>

#include "common/variant/cpu_variant.hpp"
#include "labs/02_pthread/shared/blocks.hpp"
#include "labs/02_pthread/shared/threads.hpp"
#include "labs/02_pthread/variants.hpp"

namespace convolab {
namespace {

void convolve_queue(const ThreadedBlocks& job, Image& result) {
    const std::int64_t count = job.blocks.count();
    std::atomic<std::int64_t> next{0};
    Threads threads;
    for (int t = 0; t < job.threads; ++t)
        threads.start([&] {
            for (std::int64_t b = next++; b < count; b = next++)
                convolve(job, job.blocks[b], result);
        });
    threads.join();
}

}  // namespace

const Variant queue = cpu_variant({.name = "queue",
                                   .idea = "each thread takes the next block from a counter",
                                   .uses = kUsesThreads | kUsesBlock},
                                  convolve_queue);

}  // namespace convolab
