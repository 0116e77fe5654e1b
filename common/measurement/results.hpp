// SPDX-License-Identifier: MIT
// The files that bench, verify and timeline write. A row on disk is whole or absent, and a file
// that these programs did not write is never changed.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "common/measurement/columns.hpp"
#include "common/measurement/csv.hpp"

namespace convolab {

/// The rows of a result file; none if there is no file. Half a row at the end is left out. Throws
/// Error if its header is not `columns`.
std::vector<Row> read_results(const std::string& path, const std::vector<std::string>& columns);

/// A result file, locked by one process.
class ResultFile {
  public:
    /// Opens the file, or makes one with only the header, and reads its rows; nothing in it changes
    /// before the first append(). Throws Error if it cannot be written, another run has locked it,
    /// or its header is not `columns`. fresh: the first append() drops the existing rows. wait:
    /// until the other run has closed it.
    ResultFile(std::string path, std::vector<std::string> columns, bool fresh = false,
               bool wait = false);
    /// Removes the file if it was made here and holds no row.
    ~ResultFile();
    ResultFile(const ResultFile&) = delete;
    ResultFile& operator=(const ResultFile&) = delete;

    /// Those read and those appended.
    const std::vector<Row>& rows() const { return rows_; }

    /// All rows are on disk when it returns. Fields that a row lacks are empty. Throws Error if the
    /// disk is full; then none of them is in the file.
    void append_all(const std::vector<Row>& rows);
    void append(const Row& row) { append_all({row}); }

  private:
    /// False: the run that had locked the file has removed it.
    bool open_locked(bool wait);
    /// After the last whole row. All of the text is in the file, or none of it.
    void append_text(const std::string& text);

    std::string path_;
    std::vector<std::string> columns_;
    std::vector<Row> rows_;
    int file_ = -1;
    bool made_ = false;        ///< by this object
    bool is_regular_ = false;  ///< not a device or pipe, which keep nothing
    std::int64_t size_ = 0;    ///< of the header and the rows that count
};

// sessions.csv: what the rows of one call of bench on one device have in common, once, in the folder
// of the rows. A row names its session by a checksum of that line, so files of two folders can be
// put together line by line.
inline constexpr const char* kSessionsName = "sessions.csv";

/// Of a row with all columns: "s" and 12 hexadecimal digits.
std::string session_key(const Row& row);

/// The rows with their keys, once the file beside `csv` contains their sessions; other runs may
/// write theirs meanwhile. Write the rows afterwards: then each row on disk has its session there.
/// Throws Error if the file cannot be written.
std::vector<Row> add_sessions(std::vector<Row> rows, const std::string& csv);

/// The rows of `csv` with the columns of their sessions. Throws Error if a session is missing.
std::vector<Row> with_sessions(std::vector<Row> rows, const std::string& csv);

}  // namespace convolab
