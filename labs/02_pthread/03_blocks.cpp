// SPDX-License-Identifier: MIT
// blocks -- an equal number of square blocks per thread
// Source: ariano2023, section 3.4.3.
// Idea: the output is cut into square blocks of 4 to 256 pixels a side. The blocks form a list, and
//     each thread computes an equal part of it.
// Since grid: for any number of threads, the shares differ by at most one block, and the input of a
//     small block fits in the cache.
// Limit: static scheduling, as in rows. Tiny blocks have many edges, around which the input is read
//     more than once.
// Alone: build/labs/02_pthread/lab bench --variant blocks --block 4,16,64 --size 1080p
#include "common/variant/cpu_variant.hpp"
#include "labs/02_pthread/shared/blocks.hpp"
#include "labs/02_pthread/shared/threads.hpp"
#include "labs/02_pthread/variants.hpp"

namespace convolab {
namespace {

void convolve_blocks(const ThreadedBlocks& job, Image& result) {
    const std::int64_t count = job.blocks.count();
    Threads threads;
    for (int t = 0; t < job.threads; ++t) {
        const std::int64_t first = count * t / job.threads;
        const std::int64_t last = count * (t + 1) / job.threads;
        threads.start([&, first, last] {
            for (std::int64_t b = first; b < last; ++b) convolve(job, job.blocks[b], result);
        });
    }
    threads.join();
}

}  // namespace

const Variant blocks = cpu_variant({.name = "blocks",
                                    .idea = "an equal share of square blocks for each thread",
                                    .uses = kUsesThreads | kUsesBlock},
                                   convolve_blocks);

}  // namespace convolab
