// Copyright (c) 2026 The Convolab authors
// SPDX-License-Identifier: MIT
#include "common/measurement/columns.hpp"

#include "common/variant/settings.hpp"

namespace convolab {
namespace {

using enum ColumnKind;

/// The columns by which all files say what ran, in the order of the timing file.
const std::vector<Column> kOrigin = {
    {"lab", text, "", "folder of the lab", true},
    {"variant", text, "", "variant of the lab", true},
    {"backend", text, "", "cpu, cuda, or cuda_on_cpu, whose rows carry no times", true},
    {"machine", text, "", "model of the CPU and number of CPUs", true},
    {"device", text, "", "model of what computed", true},
    {"driver", text, "", "version of the GPU's driver", true},
    {"compiler", text, "", "name and version", true},
    {"flags", text, "", "flags of the compiler", true},
    {"build", text, "", "checksum of the object code", true},
};

const std::vector<Column> kPicture = {
    {"image", text, "", "scene, random, or the name of a PNG", true},
    {"size", text, "", "480p to 8k, or width x height", true},
    {"width", integer, "pixels", "", true},
    {"height", integer, "pixels", "", true},
    {"channels", integer, "", "1, 3 or 4", true},
    {"type", text, "", "uint8, int32 or float32", true},
    {"layout", text, "", "interleaved or planar", true},
    {"filter", text, "", "name or typed taps", true},
    {"ksize", integer, "", "side K of the filter", true},
    {"border", text, "", "rule for pixels outside the image", true},
};

const std::vector<Column> kProtocol = {
    {"iterations", integer, "", "timed runs", true},
    {"warmup", integer, "", "runs before them", true},
    {"cold", flag, "", "caches emptied before each run", true},
};

const std::vector<Column> kMeasured = {
    {"bytes", integer, "bytes", "each input sample read once, each output sample written once"},
    {"operations", integer, "", "2 K^2 per output sample"},
    {"gb_per_s", decimal, "GB/s", "bytes / mean time"},
    {"gflop_per_s", decimal, "GFLOP/s", "operations / mean time"},
    {"copy_gb_per_s", decimal, "GB/s", "a copy of the same bytes in the same run"},
    {"bus_in_gb_per_s", decimal, "GB/s", "host to device, pinned, where run() copies"},
    {"bus_out_gb_per_s", decimal, "GB/s", "device to host, pinned, where run() copies"},
    {"bus_both_gb_per_s", decimal, "GB/s", "both directions at once, where run() copies"},
    {"devices", integer, "", "GPUs that take part, where run() copies"},
    {"ceiling_share", decimal, "", "gb_per_s / copy_gb_per_s, or / bus_both_gb_per_s"},
    {"noisy", flag, "", "stddev / mean exceeded the limit of the protocol"},
    {"registers", integer, "", "of the kernel, per thread"},
    {"shared_bytes", integer, "bytes", "shared memory of the kernel, per block"},
    {"occupancy", decimal, "", "resident warps / maximum"},
    {"status", text, "", "ok, unsupported (by nature), skipped (this machine cannot), failed"},
    {"reason", text, "", "of a status other than ok"},
    {"revision", text, "", "git commit of the sources"},
    {"dirty", flag, "", "the sources differed from it"},
    {"date", text, "", "UTC, ISO 8601"},
};

void add(std::vector<Column>& all, const std::vector<Column>& more) {
    all.insert(all.end(), more.begin(), more.end());
}

/// "kernel_ms_mean" ..: the statistics of one time.
void add_time(std::vector<Column>& all, const std::string& name, const std::string& meaning) {
    for (const char* statistic : {"mean", "stddev", "min", "median", "p95"})
        all.push_back({name + '_' + statistic, decimal, "ms", meaning});
}

/// The columns of `from` with these names.
std::vector<Column> only(const std::vector<Column>& from, const std::vector<std::string>& wanted) {
    std::vector<Column> all;
    for (const Column& column : from)
        for (const std::string& name : wanted)
            if (column.name == name) all.push_back(column);
    return all;
}

}  // namespace

const std::vector<Column>& timing_columns() {
    static const std::vector<Column> columns = [] {
        std::vector<Column> all = kOrigin;
        add(all, kPicture);
        for (const Setting& setting : kSettings)
            all.push_back({setting.name, integer, "", setting.meaning, true});
        add(all, kProtocol);
        add_time(all, "kernel_ms", "the convolution alone");
        add_time(all, "total_ms", "with the copies to and from the device; of one frame");
        add(all, kMeasured);
        return all;
    }();
    return columns;
}

const std::vector<Column>& verify_columns() {
    static const std::vector<Column> columns = [] {
        std::vector<Column> all = only(kOrigin, {"lab", "variant", "backend", "machine", "device",
                                                 "compiler", "flags", "build"});
        add(all, only(kPicture, {"filter", "ksize", "border"}));
        add(all, {{"jobs", integer, "", "comparisons"},
                  {"samples_compared", integer, "samples", ""},
                  {"samples_different", integer, "samples", ""}});
        add(all, only(kMeasured, {"status", "reason"}));
        return all;
    }();
    return columns;
}

const std::vector<Column>& timeline_columns() {
    static const std::vector<Column> columns = [] {
        std::vector<Column> all = only(kOrigin, {"lab", "variant", "backend", "machine", "device"});
        add(all, only(kPicture, {"size", "width", "height", "channels", "type", "filter", "ksize",
                                 "border"}));
        add(all, {{"gpu", integer, "", "number of the device"},
                  {"stream", integer, "", "number of the stream on its device"},
                  {"part", integer, "", "number of the band or frame"},
                  {"what", text, "", "copy in, filter or copy out"},
                  {"start_ms", decimal, "ms", "since the run's first step"},
                  {"end_ms", decimal, "ms", "since the run's first step"}});
        return all;
    }();
    return columns;
}

std::vector<std::string> names(const std::vector<Column>& columns) {
    std::vector<std::string> all;
    for (const Column& column : columns) all.push_back(column.name);
    return all;
}

std::string to_string(ColumnKind kind) {
    switch (kind) {
        case text:
            return "text";
        case integer:
            return "integer";
        case decimal:
            return "decimal";
        case flag:
            return "flag";
    }
    return "?";
}

}  // namespace convolab
