// Copyright (c) 2026 The Convolab authors
// SPDX-License-Identifier: MIT
//
// Results as CSV (RFC 4180, UTF-8, decimal points whatever the locale): one header, one row per
// variant and configuration, units in the column names. A row on disk is whole or absent.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace convolab {

/// The columns of a timing file, in order. A value that does not apply is an empty field.
///   key       lab .. cold: what was run, and on what; two rows with the same key are the same
///             measurement, and the later one counts
///   times     milliseconds; kernel_ms: the convolution alone, total_ms: with copies to and from
///   the
///             device; both empty unless status is ok and the backend is real
///   bytes     compulsory traffic: every input sample read once, every output sample written once
///   operations  2 K^2 an output sample
///   copy_gb_per_s  a copy of the same bytes (read + write) in the same run; ceiling_share is
///             gb_per_s / copy_gb_per_s
///   bus_*_gb_per_s, devices  of variants whose run() copies: pinned copies of the same bytes in
///   the
///             same run, each way alone and both at a time, on all devices that take part. Their
///             rows have no kernel_ms; total_ms is of one frame, and ceiling_share is the time
///             that the bus needs for its bytes with both directions busy / total_ms
///   noisy     1 where stddev / mean of kernel_ms passed the bound
///   status    ok, unsupported (by nature), skipped (this machine cannot), failed (wrong output)
inline const std::vector<std::string> kTimingColumns = {
    "lab", "variant", "backend", "machine", "device", "driver", "compiler", "flags", "build",
    "image", "size", "width", "height", "channels", "type", "layout", "filter", "ksize", "border",
    "threads", "block", "streams", "bands", "in_flight", "frames", "iterations", "warmup", "cold",
    // measured
    "kernel_ms_mean", "kernel_ms_stddev", "kernel_ms_min", "kernel_ms_median", "kernel_ms_p95",
    "total_ms_mean", "total_ms_stddev", "total_ms_min", "total_ms_median", "total_ms_p95", "bytes",
    "operations", "gb_per_s", "gflop_per_s", "copy_gb_per_s", "bus_in_gb_per_s", "bus_out_gb_per_s",
    "bus_both_gb_per_s", "devices", "ceiling_share", "noisy", "registers", "shared_bytes",
    "occupancy", "status", "reason", "revision", "dirty", "date"};

/// How many of kTimingColumns make the key.
inline constexpr std::size_t kTimingKeyColumns = 28;

/// The columns of verify.csv: one row per variant, filter, side and border, over all images.
inline const std::vector<std::string> kVerifyColumns = {
    "lab",    "variant", "backend", "machine", "device", "compiler",         "flags",
    "build",  "filter",  "ksize",   "border",  "jobs",   "samples_compared", "samples_different",
    "status", "reason"};

/// The columns of timeline.csv: a row for each step of one run. gpu, stream, part: numbers from 0;
/// what: copy in, filter, copy out; milliseconds since the run's first step.
inline const std::vector<std::string> kTimelineColumns = {
    "lab",    "variant",  "backend", "machine",  "device", "size",   "width",
    "height", "channels", "type",    "filter",   "ksize",  "border", "gpu",
    "stream", "part",     "what",    "start_ms", "end_ms"};

using Row = std::map<std::string, std::string>;

/// Reads a CSV file; every row has exactly the header's fields. Throws Error naming file and line.
/// A file that is not there has no rows.
std::vector<Row> read_csv(const std::string& path);

/// A result file held by one process: rows are appended whole, each on disk before append()
/// returns.
class ResultFile {
  public:
    /// Opens or makes the file and locks it; cuts off a row that an earlier run left half-written.
    /// Throws Error, in one sentence, where the folder cannot be written, another run holds the
    /// file, or its header is not `columns`. fresh: what was in it is dropped.
    ResultFile(std::string path, std::vector<std::string> columns, bool fresh = false);
    ~ResultFile();
    ResultFile(const ResultFile&) = delete;
    ResultFile& operator=(const ResultFile&) = delete;

    const std::vector<Row>& rows() const { return rows_; }

    /// Fields the row lacks are empty. Throws Error where the disk is full; the file is then as
    /// before.
    void append(const Row& row);

  private:
    std::string path_;
    std::vector<std::string> columns_;
    std::vector<Row> rows_;
    int file_ = -1;
};

/// The shortest decimal that reads back as the same number, with a point in every locale.
std::string to_decimal(double value);
/// Throws Error for anything but a whole decimal number.
double from_decimal(std::string_view text);

}  // namespace convolab
