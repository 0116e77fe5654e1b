// Copyright (c) 2026 The Convolab authors
// SPDX-License-Identifier: MIT
#include "common/measurement/results.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
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
            append_text(header);  // what cannot be written is said now
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

}  // namespace convolab
