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
#include <sstream>
#include <utility>

#include "common/base/error.hpp"

namespace convolab {
namespace {

[[noreturn]] void fail(const std::string& path, const std::string& what, int reason) {
    throw Error("File '" + path + "' " + what + ": " + std::strerror(reason) + ".");
}

[[noreturn]] void cannot_write(const std::string& path, int reason) {
    if (reason == ENOSPC || reason == EDQUOT)
        throw Error("File '" + path + "' cannot be written: " + std::strerror(reason) +
                    "; make room and run again, finished rows are kept.");
    fail(path, "cannot be written", reason);
}

/// All of `text` is in the file, or none of it.
void append_whole(int file, const std::string& text, const std::string& path) {
    const off_t before = ::lseek(file, 0, SEEK_END);
    const ssize_t n = ::write(file, text.data(), text.size());
    if (n == static_cast<ssize_t>(text.size())) return;
    const int reason = n < 0 ? errno : ENOSPC;
    if (before >= 0 && ::ftruncate(file, before) != 0) {
        // Nothing more can be done: the next run leaves half a row out.
    }
    cannot_write(path, reason);
}

/// Throws Error where a spreadsheet put another separator between the columns of a header.
void require_commas(const std::string& header, const std::vector<std::string>& columns,
                    const std::string& path) {
    for (const auto& [separator, name] : {std::pair{';', "semicolons"}, {'\t', "tabs"}})
        if (header.starts_with(columns[0] + separator + columns[1]))
            throw Error("File '" + path + "' has " + name +
                        " instead of commas between its fields: a spreadsheet saved it; save it "
                        "with commas and decimal points, or name another file with --csv.");
}

/// Bytes of `text` up to its last whole line, after the header was found to be `columns`.
std::size_t whole_bytes(const std::string& text, const std::vector<std::string>& columns,
                        const std::string& path) {
    if (text.empty()) return 0;
    const std::string header = first_line(text);
    const auto end = text.rfind('\n');
    if (end != std::string::npos && header + '\n' == csv_line(columns)) return end + 1;
    require_commas(header, columns, path);
    if (header.starts_with("lab,variant,backend,") || header.starts_with("session,machine,"))
        throw Error("File '" + path +
                    "' has the columns of another version of this program; it was left as it is. "
                    "Move it to another folder and run again, or name another with --csv.");
    throw Error("File '" + path +
                "' is not one that this program writes, or has other columns; it was left as "
                "it is. Name another file with --csv.");
}

}  // namespace

std::vector<Row> read_results(const std::string& path, const std::vector<std::string>& columns) {
    std::ifstream file(path, std::ios::binary);
    if (!file) return {};
    std::ostringstream all;
    all << file.rdbuf();
    std::string text = all.str();
    text.resize(whole_bytes(text, columns, path));
    return parse_csv(text, path);
}

ResultFile::ResultFile(std::string path, std::vector<std::string> columns, bool fresh, bool wait)
    : path_(std::move(path)), columns_(std::move(columns)) {
    open();
    try {
        lock(wait);
        while (!is_at_path()) {  // the other run has removed it
            ::close(file_);
            open();
            lock(wait);
        }
        struct stat info {};
        regular_ = ::fstat(file_, &info) == 0 && S_ISREG(info.st_mode);
        if (regular_) {
            read(fresh);
            require_room();
            if (made_) append_whole(file_, csv_line(columns_), path_);  // not empty when killed
        } else {  // nothing to lose, and a device that takes nothing says so now
            append_whole(file_, csv_line(columns_), path_);
            begun_ = true;
        }
    } catch (...) {
        if (made_) ::unlink(path_.c_str());
        ::close(file_);
        throw;
    }
}

ResultFile::~ResultFile() {
    if (made_ && !begun_) ::unlink(path_.c_str());
    ::close(file_);
}

void ResultFile::open() {
    int tries = 0;
    do {
        file_ = ::open(path_.c_str(), O_RDWR | O_CLOEXEC);
        made_ = false;
        if (file_ >= 0 || errno != ENOENT) break;
        file_ = ::open(path_.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
        made_ = file_ >= 0;
    } while (errno == EEXIST && !made_ && ++tries < 1000);  // another run has just made it
    if (file_ < 0)
        throw Error("File '" + path_ + "' cannot be opened for writing: " + std::strerror(errno) +
                    "; name another with --csv.");
}

void ResultFile::lock(bool wait) {
    while (::flock(file_, LOCK_EX | (wait ? 0 : LOCK_NB)) != 0) {
        if (errno == EINTR) continue;
        made_ = false;  // it is the other run's now
        throw Error("File '" + path_ +
                    "' is in use by another run; wait until it ends or name another with --csv.");
    }
}

bool ResultFile::is_at_path() const {
    struct stat open {
    }, named{};
    return ::fstat(file_, &open) == 0 && ::stat(path_.c_str(), &named) == 0 &&
           open.st_dev == named.st_dev && open.st_ino == named.st_ino;
}

void ResultFile::read(bool fresh) {
    std::string text;
    char buffer[1 << 16];
    ssize_t n = 0;
    while ((n = ::read(file_, buffer, sizeof buffer)) > 0) {
        text.append(buffer, static_cast<std::size_t>(n));
        if (text.size() >= sizeof buffer) whole_bytes(text, columns_, path_);  // not all of a video
    }
    if (n < 0) fail(path_, "cannot be read", errno);
    if (!text.empty()) made_ = false;  // another run was faster
    text.resize(whole_bytes(text, columns_, path_));
    if (fresh) return;
    rows_ = parse_csv(text, path_);
    whole_ = static_cast<std::int64_t>(text.size());
}

void ResultFile::require_room() const {
    struct stat info {};
    if (::fstat(file_, &info) != 0) fail(path_, "cannot be read", errno);
    constexpr off_t kRoom = 1 << 16;
    if (::fallocate(file_, FALLOC_FL_KEEP_SIZE, info.st_size, kRoom) != 0 &&
        (errno == ENOSPC || errno == EDQUOT))
        cannot_write(path_, errno);
}

void ResultFile::append_all(const std::vector<Row>& rows) {
    if (rows.empty()) return;
    std::string text;
    if (!begun_) {
        if (::ftruncate(file_, whole_) != 0) cannot_write(path_, errno);
        if (whole_ == 0) text = csv_line(columns_);
    }
    for (const Row& row : rows) {
        std::vector<std::string> fields;
        for (const auto& column : columns_) {
            const auto found = row.find(column);
            fields.push_back(found == row.end() ? "" : found->second);
        }
        text += csv_line(fields);
    }
    append_whole(file_, text, path_);
    begun_ = true;
    ::fdatasync(file_);
    rows_.insert(rows_.end(), rows.begin(), rows.end());
}

}  // namespace convolab
