// Copyright (c) 2026 The Convolab authors
// SPDX-License-Identifier: MIT
//
// simd_rows
//
// The idea: lab 01 `simd` (labs/01_sequential/row_filter/row_filter.hpp) on every core: each thread a band of rows with a
// ring of its own. The threads are created once, with the variant, and woken for each run.
//
// Since queue: bytes instead of nested floats, 2K multiply-adds instead of K^2, SIMD, and no thread
// is created while the clock runs.
//
// What limits it: one thread's arithmetic where threads are few, memory where they are many.
//
// Alone: build/labs/02_pthread/lab bench --variant simd_rows --threads 1,2 --size 1080p
#include "common/threads/thread_team.hpp"
#include "common/variant/cpu_convolver.hpp"
#include "labs/01_sequential/row_filter/row_filter.hpp"

namespace convolab {
namespace {

class SimdRows final : public CpuConvolver {
  public:
    explicit SimdRows(const Job& job)
        : CpuConvolver(job),
          filter_(job),
          threads_(job.settings.threads),
          scratch_(static_cast<std::size_t>(threads_), filter_.make_scratch()),
          team_(threads_, [this](int i) { band(i); }) {}

    void run() override { team_.run(); }

  private:
    void band(int i) {
        const std::int64_t height = output_.height();
        filter_.rows(height * i / threads_, height * (i + 1) / threads_, output_, scratch_[i]);
    }

    RowFilter filter_;
    int threads_;
    std::vector<RowFilter::Scratch> scratch_;
    ThreadTeam team_;
};

}  // namespace

extern const Variant simd_rows;
const Variant simd_rows{
    .name = "simd_rows",
    .idea = "lab 01 simd over one band of rows a thread; threads created once",
    .make = [](const Job& job) { return std::make_unique<SimdRows>(job); },
    .uses = kUsesThreads,
};

}  // namespace convolab
