// SPDX-License-Identifier: MIT
// lab timeline: one run of each variant, after it was verified, and when each of its steps began
// and ended, as the device's events say. Without --variant: of those that have a timeline.
#include <algorithm>
#include <iostream>

#include "common/base/error.hpp"
#include "common/driver/commands.hpp"
#include "common/driver/expected.hpp"
#include "common/driver/tasks.hpp"
#include "common/measurement/results.hpp"

namespace convolab {
namespace {

/// Nothing if the variant has no timeline. Throws Error if the output is wrong: a timeline of
/// a wrong run shows nothing.
std::vector<Span> spans_of(const Lab& lab, const Variant& variant, const Job& job) {
    const auto convolver = make_convolver(variant, job);
    std::vector<Span> spans;
    output_of(*convolver, [&] { spans = convolver->timeline(); });
    const Image& result = convolver->result();
    if (spans.empty()) return spans;
    const Comparison comparison = compare(result, Expected(lab.operation_of(variant), job));
    if (!comparison.identical())
        throw Error("Variant " + variant.name + " differs from the reference: " +
                    describe(comparison) + "; no timeline was written.");
    return spans;
}

UsageError without_timeline(const std::string& whose) {
    return UsageError(whose + " has no timeline; most variants of 06_async_streams have one.");
}

}  // namespace

int timeline_command(const Lab& lab, const Options& options) {
    if (!lab.backend->is_timed())
        throw Error("A timeline needs times, and CUDA on the CPU has none; run it on a GPU.");
    const Tasks tasks(lab, options);
    ResultFile file(options.csv, names(timeline_columns()), true);
    std::vector<Row> rows;  // written when all are there: an older file is not lost to a mistake
    for (const auto* variant : options.variants) {
        const Task task{variant, options.sizes.front(), options.ksizes_or_default().front(),
                        options.first_settings()};
        const auto images = tasks.frames(task.size, tasks.channels_of(task), tasks.type_of(task));
        const Job job = tasks.job(task, images);
        Row row = tasks.key(task);
        double end_ms = 0;
        const std::vector<Span> spans = spans_of(lab, *variant, job);
        if (spans.empty()) {
            if (!options.all_variants)
                throw without_timeline("Variant " + variant->name + " of lab " + lab.name);
            std::cerr << "note: " << lab.name << ' ' << variant->name << " has no timeline\n";
            continue;
        }
        for (const Span& span : spans) {
            row["gpu"] = std::to_string(span.device);
            row["stream"] = std::to_string(span.stream);
            row["part"] = std::to_string(span.part);
            row["what"] = span.what;
            row["start_ms"] = to_decimal(span.start_ms);
            row["end_ms"] = to_decimal(span.end_ms);
            rows.push_back(row);
            end_ms = std::max(end_ms, span.end_ms);
        }
        std::cout << lab.name << ' ' << variant->name << ' ' << task.size.name << ": " << end_ms
                  << " ms\n";
    }
    if (rows.empty()) throw without_timeline("Lab " + lab.name);
    file.append_all(rows);
    std::cout << options.csv << '\n';
    return 0;
}

}  // namespace convolab
