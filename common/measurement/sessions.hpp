// Copyright (c) 2026 The Convolab authors
// SPDX-License-Identifier: MIT
//
// sessions.csv: what the rows of one call of bench on one device have in common, once, in the
// folder of the rows. A row names its session by a checksum of that line, so files of two folders
// can be put together line by line.
#pragma once

#include <string>
#include <vector>

#include "common/measurement/csv.hpp"

namespace convolab {

inline constexpr const char* kSessionsName = "sessions.csv";

/// Of a row with all columns: "s" and 12 hexadecimal digits.
std::string session_key(const Row& row);

/// The rows with their keys, once the file beside `csv` has their sessions; other runs may write
/// theirs meanwhile. Write the rows after it: then each row on disk has its session there. Throws
/// Error where the file cannot be written.
std::vector<Row> add_sessions(std::vector<Row> rows, const std::string& csv);

/// The rows of `csv` with the columns of their sessions. Throws Error where a session is missing.
std::vector<Row> with_sessions(std::vector<Row> rows, const std::string& csv);

}  // namespace convolab
