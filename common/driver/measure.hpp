// Copyright (c) 2026 The Convolab authors
// SPDX-License-Identifier: MIT
//
// One measurement of bench: verify, warm up, time, verify the last output again, fill a row.
#pragma once

#include <functional>
#include <vector>

#include "common/driver/ceilings.hpp"
#include "common/driver/progress.hpp"
#include "common/driver/tasks.hpp"

namespace convolab {

class Measure {
  public:
    Measure(const Lab& lab, const Options& options, Tasks& tasks)
        : lab_(lab), options_(options), tasks_(tasks), ceilings_(*lab.backend, options.cold) {}

    /// The whole row. Interrupted: a row without status.
    Row row(const Task& task, BenchProgress& progress);

  private:
    void fill(const Task& task, BenchProgress& progress, Row& row);
    /// Milliseconds of each timed run; the last output is compared again.
    std::vector<double> repeat(const Case& truth, Convolver& convolver, BenchProgress& progress,
                               const std::function<double()>& once_ms) const;
    void time(const Task& task, const Case& truth, const Job& job, Convolver& convolver,
              BenchProgress& progress, Row& row);

    const Lab& lab_;
    const Options& options_;
    Tasks& tasks_;
    Ceilings ceilings_;
};

}  // namespace convolab
