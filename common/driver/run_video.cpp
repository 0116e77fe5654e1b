// Copyright (c) 2026 The Convolab authors
// SPDX-License-Identifier: MIT
//
// lab run --video
#include <algorithm>
#include <iostream>
#include <optional>

#include "common/base/error.hpp"
#include "common/driver/commands.hpp"
#include "common/driver/pipeline.hpp"
#include "common/measurement/machine.hpp"
#include "common/measurement/results.hpp"

namespace convolab {
namespace {

/// Nothing without --csv. Opened before the run: an hour of work is not lost to a name.
std::optional<ResultFile> times_file(const Lab& lab, const Options& options) {
    if (options.csv.empty()) return {};
    const Variant& variant = *options.variants.front();
    const auto is_timed = [&](const Variant* one) { return lab.backend_of(*one).is_timed(); };
    if (!is_timed(&variant)) {
        const bool others = std::any_of(lab.variants.begin(), lab.variants.end(), is_timed);
        throw UsageError("Option --csv: variant " + variant.name +
                         " runs on the CPU in place of a GPU, and that has no times; leave --csv "
                         "out" +
                         (others ? ", or name a CPU variant." : "."));
    }
    return std::optional<ResultFile>(std::in_place, options.csv, names(clip_columns()));
}

Row row_of(const Lab& lab, const Options& options, const Pipeline& pipeline) {
    Row row = origin_row(lab, *options.variants.front());
    row.merge(pipeline.row());
    row["revision"] = build_info().revision;
    row["date"] = utc_now();
    return row;
}

}  // namespace

int run_video_command(const Lab& lab, const Options& options) {
    catch_interrupts();
    auto times = times_file(lab, options);
    Pipeline pipeline(lab, options);
    pipeline.run();
    if (!pipeline.notes().empty()) std::cerr << options.video << ": " << pipeline.notes() << '\n';
    std::ostream& say = options.out == "-" ? std::cerr : std::cout;
    say << (options.out.empty() ? options.video : options.out) << ": by "
        << options.variants.front()->name
        << (options.best_variant ? " (the lab's best; --variant names another)" : "")
        << (options.check ? ", identical to the reference" : "") << ". " << pipeline.summary()
        << '\n';
    if (interrupted()) return interrupted_exit_code();
    if (times) times->append(row_of(lab, options, pipeline));
    return 0;
}

}  // namespace convolab
