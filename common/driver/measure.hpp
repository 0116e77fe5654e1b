// Copyright (c) 2026 The Convolab authors
// SPDX-License-Identifier: MIT
//
// One measurement of bench: verify, warm up, time, verify the last output again, fill a row.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <vector>

#include "common/driver/ceilings.hpp"
#include "common/driver/progress.hpp"
#include "common/driver/tasks.hpp"
#include "common/measurement/machine_facts.hpp"

namespace convolab {

class Measure {
  public:
    Measure(const Lab& lab, const Options& options, Tasks& tasks)
        : lab_(lab), options_(options), tasks_(tasks) {}

    /// The whole row. Interrupted: a row without status.
    Row row(const Task& task, BenchProgress& progress);

  private:
    /// A variant at work on its frames. Two frames are a clip that is played to and fro.
    struct Bound {
        const Task& task;
        const Case& truth;
        std::vector<Image> clip;  ///< a copy of truth.frames where there are two
        Job job;
        Backend& backend;
        std::unique_ptr<Convolver> convolver;
        bool backward = false;  ///< the clip stands with its frames exchanged

        /// The next step of the clip; nothing where there is one picture.
        void turn();
    };
    Bound bind(const Task& task);
    void fill(const Task& task, BenchProgress& progress, Row& row);
    /// Milliseconds of each timed run; the last output is compared again.
    std::vector<double> repeat(Bound& bound, BenchProgress& progress,
                               const std::function<double()>& once_ms) const;
    void time(Bound& bound, BenchProgress& progress, Row& row);
    Ceilings& ceilings(Backend& backend);

    const Lab& lab_;
    const Options& options_;
    Tasks& tasks_;
    std::map<Backend*, Ceilings> ceilings_;
    const Row machine_ = machine_facts();
};

}  // namespace convolab
