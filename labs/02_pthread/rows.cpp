// Copyright (c) 2026 The Convolab authors
// SPDX-License-Identifier: MIT
//
// rows (ariano2023, section 3.4.1)
//
// The idea: n threads, floor(H / n) rows of the output to each; the last takes the rest. No thread
// writes where another does and none reads what another writes, so nothing has to be locked.
//
// What limits it: the last thread's extra rows (up to n - 1), and that a thread that is held up is
// helped by nobody. With more threads than rows the last one does it all.
//
// Alone: build/labs/02_pthread/lab bench --variant rows --threads 1,2 --size 1080p
#include "labs/02_pthread/nested_threads.hpp"
#include "labs/02_pthread/threads.hpp"

namespace convolab {
namespace {

class Rows final : public NestedThreads {
  public:
    explicit Rows(const Job& job) : NestedThreads(job) {}

    void run() override {
        const std::int64_t height = output_.height();
        const std::int64_t share = height / threads_;
        on_threads(threads_, [&](int i) {
            const std::int64_t first = i * share;
            const std::int64_t last = i == threads_ - 1 ? height : first + share;
            convolve({0, first, output_.width(), last});
        });
    }
};

}  // namespace

extern const Variant rows;
const Variant rows{
    .name = "rows",
    .idea = "floor(H/n) rows to each of n threads, the last takes the rest",
    .make = [](const Job& job) { return std::make_unique<Rows>(job); },
    .uses = kUsesThreads,
    .memory = nested_memory,
};

}  // namespace convolab
