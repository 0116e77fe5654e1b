// Copyright (c) 2026 The Convolab authors
// SPDX-License-Identifier: MIT
//
// queue
//
// The idea: the blocks of the variant blocks, but nobody owns any: each thread takes the next one
// from an atomic counter until none is left.
//
// Since blocks: a thread that is held up (another program, a slower core) takes fewer blocks, and
// the others finish together. The price is one atomic addition a block.
//
// What limits it: the nested image; the counter only where blocks are tiny.
//
// Alone: build/labs/02_pthread/lab bench --variant queue --block 4,16,64 --size 1080p
#include <atomic>

#include "labs/02_pthread/block_list.hpp"
#include "labs/02_pthread/nested_threads.hpp"
#include "labs/02_pthread/threads.hpp"

namespace convolab {
namespace {

class Queue final : public NestedThreads {
  public:
    explicit Queue(const Job& job)
        : NestedThreads(job),
          blocks_(block_list(output_.width(), output_.height(), job.settings.block, threads_)) {}

    void run() override {
        std::atomic<std::size_t> next{0};
        on_threads(threads_, [&](int) {
            for (std::size_t b = next++; b < blocks_.size(); b = next++) convolve(blocks_[b]);
        });
    }

  private:
    std::vector<Rectangle> blocks_;
};

}  // namespace

extern const Variant queue;
const Variant queue{
    .name = "queue",
    .idea = "the same blocks, taken one by one from an atomic counter",
    .make = [](const Job& job) { return std::make_unique<Queue>(job); },
    .uses = kUsesThreads | kUsesBlock,
    .memory = nested_memory,
};

}  // namespace convolab
