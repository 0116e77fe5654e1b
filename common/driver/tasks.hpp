// SPDX-License-Identifier: MIT
// What a row of bench measures, and which rows the options ask for.
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "common/driver/expected.hpp"
#include "common/driver/options.hpp"
#include "common/image/sizes.hpp"
#include "common/measurement/csv.hpp"
#include "common/media/pictures.hpp"
#include "common/variant/lab.hpp"

namespace convolab {

/// The columns that say which program made a row, on what machine, and when.
Row origin_row(const Lab& lab, const Variant& variant);

/// What one row measures.
struct Task {
    const Variant* variant;
    Size size;
    int ksize;  ///< 0: the filter's own
    Settings settings;
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
    /// The key columns of the task's row, except the layout: that depends on the variant.
    Row key(const Task& task) const;
    Job job(const Task& task, const std::vector<Image>& frames) const;
    std::vector<Image> frames(const Size& size, int channels, PixelType type) const;
    /// What one run takes at most, even on an emulator.
    double expected_s(const Task& task) const;
    /// Those of the last size are kept. Throws Skipped where the memory is short.
    const Case& truth(const Task& task);

  private:
    /// Tasks of one size with the same key share a Case.
    using CaseKey = std::pair<const Operation*, std::string>;
    CaseKey case_key(const Task& task) const;

    const Lab& lab_;
    const Options& options_;
    PictureSource source_;
    std::map<CaseKey, Case> cases_;  // of one size
    std::string cases_size_;
};

/// How many rows the options ask for: the same number on every machine.
std::size_t rows_of_bench(const Options& options);

struct BenchPlan {
    /// done: the rows that the file holds.
    BenchPlan(const Lab& lab, const Options& options, const Tasks& tasks,
              const std::vector<Row>& done);

    std::size_t left_out = 0;   ///< configurations without a time, where only_timed is asked for
    std::size_t all = 0;        ///< the others that were asked for
    std::vector<Task> pending;  ///< those that are not in the file, size by size
};

}  // namespace convolab
