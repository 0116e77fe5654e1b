// Copyright (c) 2026 The Convolab authors
// SPDX-License-Identifier: MIT
//
// What bench and timeline run: from a line of settings to the job, its key in the results, and the
// output that is right.
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "common/driver/commands.hpp"
#include "common/driver/options.hpp"
#include "common/driver/pictures.hpp"
#include "common/measurement/csv.hpp"
#include "common/variant/lab.hpp"

namespace convolab {

/// What one row measures.
struct Task {
    const Variant* variant;
    Size size;
    int ksize;  ///< 0: the filter's own
    Settings settings;
    std::size_t number = 0;  ///< among all that the options ask for
    double expected_s = 0;
};

/// "rows 4k, threads 8"
std::string describe(const Task& task);

/// The frames, and the output that is right for them; computed once for all variants.
struct Case {
    std::vector<Image> frames;
    Expected expected;
    Expected backward;  ///< of two frames in the other order
};

class Tasks {
  public:
    /// Reads the picture that the options name: throws Error or UsageError.
    Tasks(const Lab& lab, const Options& options);

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
    /// Tasks of one size with the same key share a Case.
    using CaseKey = std::pair<const Operation*, std::string>;
    CaseKey case_key(const Task& task) const;
    /// Those of the last size are kept. Throws Skipped where the memory is short.
    const Case& truth(const Task& task);

  private:
    const Lab& lab_;
    const Options& options_;
    PictureSource source_;
    std::map<CaseKey, Case> cases_;  // of one size
    std::string cases_size_;
};

}  // namespace convolab
