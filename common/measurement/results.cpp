// Copyright (c) 2026 The Convolab authors
// SPDX-License-Identifier: MIT
#include "common/measurement/results.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <charconv>
#include <cstring>
#include <fstream>
#include <sstream>

#include "common/base/error.hpp"

namespace convolab {
namespace {

std::string quoted(const std::string& field) {
    if (field.find_first_of(",\"\r\n") == std::string::npos) return field;
    std::string out = "\"";
    for (const char c : field) {
        if (c == '"') out += '"';
        out += c == '\n' || c == '\r' ? ' ' : c;  // a row is a line
    }
    return out + '"';
}

std::string line_of(const std::vector<std::string>& fields) {
    std::string line;
    for (std::size_t i = 0; i < fields.size(); ++i) line += (i ? "," : "") + quoted(fields[i]);
    return line + '\n';
}

std::vector<std::string> split(const std::string& line, const std::string& where) {
    std::vector<std::string> fields(1);
    bool inside = false;
    for (std::size_t i = 0; i < line.size(); ++i) {
        const char c = line[i];
        if (c == '"' && inside && i + 1 < line.size() && line[i + 1] == '"') {
            fields.back() += c;
            ++i;
        } else if (c == '"') {
            inside = !inside;
        } else if (c == ',' && !inside) {
            fields.emplace_back();
        } else {
            fields.back() += c;
        }
    }
    if (inside) throw Error(where + " has an opening quote without its end.");
    return fields;
}

struct Table {
    std::vector<std::string> header;
    std::vector<Row> rows;
};

Table parse(const std::string& text, const std::string& path) {
    Table table;
    std::istringstream lines(text);
    std::string line;
    for (int number = 1; std::getline(lines, line); ++number) {
        const std::string where = "File '" + path + "', line " + std::to_string(number) + ",";
        const auto fields = split(line, where);
        if (number == 1) {
            table.header = fields;
            continue;
        }
        if (fields.size() != table.header.size())
            throw Error(where + " has " + std::to_string(fields.size()) + " fields instead of " +
                        std::to_string(table.header.size()) + "; mend or delete the file.");
        Row row;
        for (std::size_t i = 0; i < fields.size(); ++i) row[table.header[i]] = fields[i];
        table.rows.push_back(std::move(row));
    }
    return table;
}

std::string read_all(int file, const std::string& path) {
    std::string text;
    char buffer[1 << 16];
    ssize_t n = 0;
    ::lseek(file, 0, SEEK_SET);
    while ((n = ::read(file, buffer, sizeof buffer)) > 0)
        text.append(buffer, static_cast<size_t>(n));
    if (n < 0) throw Error("File '" + path + "' cannot be read: " + std::strerror(errno) + ".");
    return text;
}

/// All of `text` is in the file, or none of it.
void append_whole(int file, const std::string& text, const std::string& path) {
    const off_t before = ::lseek(file, 0, SEEK_END);
    const ssize_t n = ::write(file, text.data(), text.size());
    const int reason = n < 0 ? errno : ENOSPC;
    if (n == static_cast<ssize_t>(text.size())) return;
    if (before >= 0 && ::ftruncate(file, before) != 0) {
        // Nothing more can be done: the next run cuts the half row off.
    }
    throw Error("File '" + path + "' cannot be written: " + std::strerror(reason) +
                "; make room and run again, finished rows are kept.");
}

}  // namespace

std::vector<Row> read_csv(const std::string& path) {
    std::ifstream file(path, std::ios::binary);
    if (!file) return {};
    std::ostringstream text;
    text << file.rdbuf();
    return parse(text.str(), path).rows;
}

ResultFile::ResultFile(std::string path, std::vector<std::string> columns, bool fresh)
    : path_(std::move(path)), columns_(std::move(columns)) {
    file_ = ::open(path_.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666);
    if (file_ < 0)
        throw Error("File '" + path_ + "' cannot be opened for writing: " + std::strerror(errno) +
                    "; name another with --csv.");
    try {
        if (::flock(file_, LOCK_EX | LOCK_NB) != 0)
            throw Error("File '" + path_ +
                        "' is held by another run; wait until it ends or name another with --csv.");
        struct stat info {};
        const bool regular = ::fstat(file_, &info) == 0 && S_ISREG(info.st_mode);
        std::string text =
            fresh || !regular ? "" : read_all(file_, path_);  // a device may never end
        const std::size_t whole = text.rfind('\n');
        text.resize(whole == std::string::npos ? 0 : whole + 1);
        if (regular && ::ftruncate(file_, static_cast<off_t>(text.size())) != 0)
            throw Error("File '" + path_ + "' cannot be written: " + std::strerror(errno) + ".");
        if (text.empty()) {
            append_whole(file_, line_of(columns_), path_);
            return;
        }
        Table table = parse(text, path_);
        if (table.header != columns_)
            throw Error(
                "File '" + path_ +
                "' has other columns than this program writes; move it away or use --fresh.");
        rows_ = std::move(table.rows);
    } catch (...) {
        ::close(file_);
        throw;
    }
}

ResultFile::~ResultFile() { ::close(file_); }

void ResultFile::append(const Row& row) {
    std::vector<std::string> fields;
    for (const auto& column : columns_) {
        const auto found = row.find(column);
        fields.push_back(found == row.end() ? "" : found->second);
    }
    append_whole(file_, line_of(fields), path_);
    ::fdatasync(file_);
    rows_.push_back(row);
}

std::string to_decimal(double value) {
    char text[40];
    const auto [end, error] = std::to_chars(text, text + sizeof text, value);
    return error == std::errc{} ? std::string(text, end) : "";
}

double from_decimal(std::string_view text) {
    double value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc{} || end != text.data() + text.size())
        throw Error("'" + std::string(text) + "' is not a decimal number.");
    return value;
}

}  // namespace convolab
