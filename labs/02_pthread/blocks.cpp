// Copyright (c) 2026 The Convolab authors
// SPDX-License-Identifier: MIT
//
// blocks (ariano2023, section 3.4.3)
//
// The idea: the image is cut into square blocks of a fixed side (4 to 256 pixels); each thread gets
// an equal, contiguous share of the list of blocks.
//
// Since grid: the shares are equal to one block, whatever the number of threads, and a block of the
// right side is a piece of work that stays in the cache.
//
// What limits it: tiny blocks spend their time at block edges; a thread that is held up is still
// helped by nobody.
//
// Alone: build/labs/02_pthread/lab bench --variant blocks --block 4,16,64 --size 1080p
#include "labs/02_pthread/block_list.hpp"
#include "labs/02_pthread/nested_threads.hpp"
#include "labs/02_pthread/threads.hpp"

namespace convolab {
namespace {

class Blocks final : public NestedThreads {
  public:
    explicit Blocks(const Job& job)
        : NestedThreads(job),
          blocks_(block_list(output_.width(), output_.height(), job.settings.block, threads_)) {}

    void run() override {
        on_threads(threads_, [&](int i) {
            const std::size_t first = blocks_.size() * i / threads_;
            const std::size_t last = blocks_.size() * (i + 1) / threads_;
            for (std::size_t b = first; b < last; ++b) convolve(blocks_[b]);
        });
    }

  private:
    std::vector<Rectangle> blocks_;
};

}  // namespace

extern const Variant blocks;
const Variant blocks{
    .name = "blocks",
    .idea = "square blocks, an equal contiguous share of the list to each thread",
    .make = [](const Job& job) { return std::make_unique<Blocks>(job); },
    .uses = kUsesThreads | kUsesBlock,
    .memory = nested_memory,
};

}  // namespace convolab
