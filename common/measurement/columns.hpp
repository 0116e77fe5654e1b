// SPDX-License-Identifier: MIT
// The columns of the result files: one table per file, in the order of the file. The programs write
// by them, `lab columns` prints them, and the report checks its own list against that.
#pragma once

#include <string>
#include <vector>

namespace convolab {

enum class ColumnKind { text, integer, decimal, flag };  ///< flag: 0 or 1
std::string to_string(ColumnKind kind);

struct Column {
    std::string name;
    ColumnKind kind = ColumnKind::text;
    std::string unit;
    std::string meaning;
    bool key = false;  ///< two rows with equal keys are the same measurement; the later one counts
};

/// What bench writes: a row for each configuration. A value that does not apply is an empty field.
const std::vector<Column>& timing_columns();
/// sessions.csv, beside the rows of bench: what those of one call on one device have in common.
const std::vector<Column>& session_columns();
/// The words of the column `settings`.
const std::vector<Column>& setting_columns();
/// What verify writes: a row for each variant, filter and border, over all pictures.
const std::vector<Column>& verify_columns();
/// What timeline writes: a row for each step of one run.
const std::vector<Column>& timeline_columns();
/// What run writes of a clip: one row.
const std::vector<Column>& clip_columns();

std::vector<std::string> names(const std::vector<Column>& columns);

}  // namespace convolab
