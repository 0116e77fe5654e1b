// SPDX-License-Identifier: MIT
#include "common/measurement/results.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <utility>

#include "common/base/error.hpp"

namespace convolab {
namespace {

[[noreturn]] void cannot_write(const std::string& path, int reason) {
    const bool is_full = reason == ENOSPC || reason == EDQUOT;
    throw Error("File '" + path + "' cannot be written: " + std::strerror(reason) +
                (is_full ? "; make room and run again, finished rows are kept." : "."));
}

/// What stands where the header should.
[[noreturn]] void foreign(const std::string& path, const std::string& start) {
    if (start.starts_with("lab,variant,backend,") || start.starts_with("session,machine,"))
        throw Error("File '" + path +
                    "' has the columns of another version of this program; it was left as it is. "
                    "Move it to another folder and run again, or name another with --csv.");
    throw Error("File '" + path +
                "' is not one that this program writes, or has other columns; it was left as "
                "it is. Name another file with --csv.");
}

/// The header and the whole rows of a file; empty: the file is, or there is none. What follows a
/// wrong header is not read: it may be a video.
std::string whole_rows(const std::string& path, const std::string& header) {
    std::ifstream file(path, std::ios::binary);
    std::string text(header.size() + 100, ' ');
    file.read(text.data(), static_cast<std::streamsize>(text.size()));
    text.resize(static_cast<std::size_t>(file.gcount()));
    if (text.empty()) return text;
    if (!text.starts_with(header)) foreign(path, text);
    text.append(std::istreambuf_iterator<char>(file), {});
    text.resize(text.rfind('\n') + 1);
    return text;
}

std::string sessions_path(const std::string& csv) {
    return std::filesystem::path(csv).replace_filename(kSessionsName).string();
}

}  // namespace

std::vector<Row> read_results(const std::string& path, const std::vector<std::string>& columns) {
    return parse_csv(whole_rows(path, csv_line(columns)), path);
}

ResultFile::ResultFile(std::string path, std::vector<std::string> columns, bool fresh, bool wait)
    : path_(std::move(path)), columns_(std::move(columns)) {
    while (!open_locked(wait)) ::close(file_);
    try {
        const std::string header = csv_line(columns_);
        std::string text = is_regular_ ? whole_rows(path_, header) : "";
        if (text.empty()) {
            append_text(header);  // at once, so that a file that cannot be written fails now
        } else {
            made_ = false;  // another run was faster
            if (fresh) text = header;
            rows_ = parse_csv(text, path_);
            size_ = static_cast<std::int64_t>(text.size());
        }
    } catch (...) {
        ::close(file_);
        throw;
    }
}

ResultFile::~ResultFile() {
    if (made_ && rows_.empty()) ::unlink(path_.c_str());
    ::close(file_);
}

bool ResultFile::open_locked(bool wait) {
    made_ = ::access(path_.c_str(), F_OK) != 0;
    file_ = ::open(path_.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666);
    if (file_ < 0)
        throw Error("File '" + path_ + "' cannot be opened for writing: " + std::strerror(errno) +
                    "; name another with --csv.");
    while (::flock(file_, LOCK_EX | (wait ? 0 : LOCK_NB)) != 0) {
        if (errno == EINTR) continue;
        ::close(file_);
        throw Error("File '" + path_ +
                    "' is in use by another run; wait until it ends or name another with --csv.");
    }
    struct stat info {};
    is_regular_ = ::fstat(file_, &info) == 0 && S_ISREG(info.st_mode);
    return !is_regular_ || info.st_nlink > 0;
}

void ResultFile::append_text(const std::string& text) {
    const auto cut = [this] {  // half a row goes, and what a fresh file drops
        return !is_regular_ ||
               (::ftruncate(file_, size_) == 0 && ::lseek(file_, size_, SEEK_SET) >= 0);
    };
    if (!cut()) cannot_write(path_, errno);
    const ssize_t n = ::write(file_, text.data(), text.size());
    if (n != static_cast<ssize_t>(text.size())) {
        const int reason = n < 0 ? errno : ENOSPC;
        cut();
        if (made_ && size_ == 0) ::unlink(path_.c_str());
        cannot_write(path_, reason);
    }
    size_ += n;
    ::fdatasync(file_);
}

void ResultFile::append_all(const std::vector<Row>& rows) {
    if (rows.empty()) return;
    std::string text;
    for (const Row& row : rows) {
        std::vector<std::string> fields;
        for (const auto& column : columns_) {
            const auto found = row.find(column);
            fields.push_back(found == row.end() ? "" : found->second);
        }
        text += csv_line(fields);
    }
    append_text(text);
    rows_.insert(rows_.end(), rows.begin(), rows.end());
}

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
    ResultFile file(sessions_path(csv), names(session_columns()), false, true);
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
    for (const Row& session : read_results(sessions_path(csv), names(session_columns())))
        sessions[session.at("session")] = session;
    for (Row& row : rows) {
        const auto found = sessions.find(row.at("session"));
        if (found == sessions.end())
            throw Error("File '" + csv + "' has a row of session '" + row.at("session") +
                        "', which '" + sessions_path(csv) +
                        "' lacks; put the sessions.csv that belongs to it beside it, or name "
                        "another file with --csv.");
        row.insert(found->second.begin(), found->second.end());
    }
    return rows;
}

}  // namespace convolab
