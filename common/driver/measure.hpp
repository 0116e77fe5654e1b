// Copyright (c) 2026 The Convolab authors
// SPDX-License-Identifier: MIT
//
// One measurement of bench: verify, warm up, time, verify the last output again, fill a row.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "common/driver/options.hpp"
#include "common/driver/pictures.hpp"
#include "common/driver/progress.hpp"
#include "common/measurement/results.hpp"
#include "common/variant/lab.hpp"

namespace convolab {

/// What one row measures.
struct Task {
    const Variant* variant;
    Size size;
    int ksize;  ///< 0: the filter's own
    Settings settings;
    double expected_s = 0;
};

/// A picture and what its convolution must give; the reference is computed once for all variants.
struct Case {
    std::vector<Image> frames;
    Image expected;
    double allowed = 0;
};

class Measure {
  public:
    Measure(const Lab& lab, const Options& options)
        : lab_(lab), options_(options), source_{options.image, options.data} {}

    PixelType type_of(const Task& task) const {
        return options_.type.value_or(task.variant->types.front());
    }
    int channels_of(const Task& task) const {
        return options_.channels.value_or(task.variant->channels.front());
    }
    /// The key columns of the task's row, but for the layout, which is the variant's own.
    Row key(const Task& task) const;
    Job job(const Task& task, const std::vector<Image>& frames) const;
    std::vector<Image> frames(const Size& size, int channels, PixelType type) const;

    /// The whole row. Interrupted: a row without status.
    Row row(const Task& task, Progress& progress);

  private:
    const Case& case_of(const Task& task);
    double copy(std::int64_t bytes, int threads);
    const BusSpeed& bus(std::int64_t bytes, int devices);
    Comparison check(const Case& truth, Convolver& convolver) const;
    /// Milliseconds of each timed run; the last output is compared again.
    std::vector<double> repeat(const Case& truth, Convolver& convolver, Progress& progress,
                               const std::function<double()>& once_ms) const;
    /// Of one frame, with its copies, on the host's clock.
    double total_ms(Convolver& convolver) const;
    void time(const Task& task, const Case& truth, const Job& job, Convolver& convolver,
              Progress& progress, Row& row);

    const Lab& lab_;
    const Options& options_;
    PictureSource source_;
    std::map<std::string, Case> cases_;  // of one size
    std::string cases_size_;
    std::map<std::pair<std::int64_t, int>, double> copies_;
    std::map<std::pair<std::int64_t, int>, BusSpeed> buses_;
};

}  // namespace convolab
