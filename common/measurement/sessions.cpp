// Copyright (c) 2026 The Convolab authors
// SPDX-License-Identifier: MIT
#include "common/measurement/sessions.hpp"

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <map>

#include "common/base/error.hpp"
#include "common/measurement/columns.hpp"
#include "common/measurement/results.hpp"

namespace convolab {
namespace {

std::string beside(const std::string& csv) {
    return std::filesystem::path(csv).replace_filename(kSessionsName).string();
}

}  // namespace

std::string session_key(const Row& row) {
    std::vector<std::string> fields;
    for (const Column& column : session_columns()) {
        const auto found = row.find(column.name);
        if (column.name != "session") fields.push_back(found == row.end() ? "" : found->second);
    }
    std::uint64_t hash = 0xcbf29ce484222325;  // FNV-1a
    for (const char c : csv_line(fields))
        hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3;
    char key[20];
    std::snprintf(key, sizeof key, "s%012llx", static_cast<unsigned long long>(hash >> 16));
    return key;
}

std::vector<Row> add_sessions(std::vector<Row> rows, const std::string& csv) {
    for (Row& row : rows) row["session"] = session_key(row);
    if (!std::filesystem::is_regular_file(csv)) return rows;  // a device or pipe keeps nothing
    ResultFile file(beside(csv), names(session_columns()), false, true);
    for (const Row& row : rows) {
        const auto is_its = [&](const Row& session) {
            return session.at("session") == row.at("session");
        };
        if (std::none_of(file.rows().begin(), file.rows().end(), is_its)) file.append(row);
    }
    return rows;
}

std::vector<Row> with_sessions(std::vector<Row> rows, const std::string& csv) {
    if (rows.empty()) return rows;
    std::map<std::string, Row> sessions;
    for (const Row& session : read_results(beside(csv), names(session_columns())))
        sessions[session.at("session")] = session;
    for (Row& row : rows) {
        const auto found = sessions.find(row.at("session"));
        if (found == sessions.end())
            throw Error("File '" + csv + "' has a row of session '" + row.at("session") +
                        "', which '" + beside(csv) +
                        "' lacks; put the sessions.csv that belongs to it beside it, or name "
                        "another file with --csv.");
        row.insert(found->second.begin(), found->second.end());
    }
    return rows;
}

}  // namespace convolab
