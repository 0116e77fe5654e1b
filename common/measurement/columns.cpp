// SPDX-License-Identifier: MIT
#include "common/measurement/columns.hpp"

#include "common/variant/settings.hpp"

namespace convolab {
namespace {

using enum ColumnKind;

/// What ran, in all files.
const std::vector<Column> kOrigin = {
    {"lab", text, "", "folder of the lab", true},
    {"variant", text, "", "variant of the lab", true},
    {"backend", text, "", "cpu, cuda, or cuda_on_cpu, whose rows carry no times", true},
};

/// On what it ran, and what made the program.
const std::vector<Column> kMachine = {
    {"machine", text, "", "model of the CPU and number of CPUs", true},
    {"device", text, "", "model of what computed", true},
    {"gpus", integer, "", "GPUs that the program saw; one or more computed (devices)", true},
    {"driver", text, "", "versions of CUDA and of the GPU's driver", true},
    {"compiler", text, "", "name and version", true},
    {"flags", text, "", "flags of the compiler", true},
    {"build", text, "", "checksum of the object code", true},
};

const std::vector<Column> kPicture = {
    {"image", text, "", "scene, random, a drawn clip, or the name of a PNG", true},
    {"size", text, "", "480p to 8k, or width x height", true},
    {"width", integer, "pixels", "", true},
    {"height", integer, "pixels", "", true},
    {"channels", integer, "", "1, 3 or 4", true},
    {"type", text, "", "uint8, int32 or float32", true},
    {"layout", text, "", "interleaved or planar", true},
    {"filter", text, "", "name or typed taps; empty: the lab has no filter", true},
    {"ksize", integer, "", "side K of the filter", true},
    {"border", text, "", "rule for pixels outside the image", true},
};

/// How the configurations of one size took turns.
const std::vector<Column> kTurns = {
    {"iterations", integer, "", "timed runs", true},
    {"in_round", integer, "", "configurations that took turns with this one, and itself"},
    {"repeated", integer, "", "turns that were disturbed and repeated; only in old rows"},
    {"disturbed", integer, "",
     "turns among the rounds that are disturbed all the same; only in old rows"},
};

const std::vector<Column> kMeasured = {
    {"bytes", integer, "bytes", "each input sample read once, each output sample written once"},
    {"operations", integer, "", "2 K^2 per output sample"},
    {"gb_per_s", decimal, "GB/s", "bytes / median time"},
    {"noisy", flag, "", "median_high - median_low is over 5 % of the median; empty: too few runs"},
    {"registers", integer, "", "of the kernel, per thread"},
    {"shared_bytes", integer, "bytes", "shared memory of the kernel, per block"},
    {"occupancy", decimal, "", "resident warps / maximum"},
};

const std::vector<Column> kOutcome = {
    {"status", text, "", "ok, unsupported (by nature), skipped (this machine cannot), failed"},
    {"reason", text, "",
     "of a status other than ok; of a time: the kernel that the variant chose, if it chooses"},
};

const Column kRevision = {"revision", text, "", "git commit of the sources"};
const Column kDate = {"date", text, "", "UTC, ISO 8601"};

/// What the rows of one call of a program on one device share beside kMachine.
const std::vector<Column> kSession = {
    {"warmup", integer, "", "untimed runs before those of each round", true},
    {"cold", flag, "", "caches emptied before each run", true},
    {"rounds", integer, "", "in each the configurations take turns, in shuffled order", true},
    {"pinning", text, "", "of CPU threads: cores (one to a core), cpus (cores not shown), off",
     true},
    {"seed", integer, "", "of the shuffling"},
    {"watched", text, "", "what was watched for disturbances; only in old rows"},
    {"copy_gb_per_s", decimal, "GB/s", "the machine's or GPU's fastest copy of an 8K RGB picture"},
    {"copy_how", text, "", "what copied: threads and instructions, or the kernel"},
    {"bus_in_gb_per_s", decimal, "GB/s",
     "host to device, pinned, of the variants that use pinned memory"},
    {"bus_out_gb_per_s", decimal, "GB/s", "device to host, likewise"},
    {"bus_both_gb_per_s", decimal, "GB/s", "both directions at once, likewise"},
    {"boot", text, "", "drawn by the system at its start: another one is another start or machine"},
    {"sockets", integer, "", "processors of the machine"},
    {"cores", integer, "", "physical cores of the machine"},
    {"threads_per_core", integer, "", "over 1: SMT"},
    {"caches", text, "", "per instance, and how many CPUs share it"},
    {"ram_bytes", integer, "bytes", "memory of the machine"},
    {"virtual_machine", flag, "", "as the processor says"},
    {"cpu_mhz", decimal, "MHz",
     "clock of the first CPU before the first measurement, as the system shows"},
    {"governor", text, "", "of the CPU's clock, or: not shown"},
    {"turbo", text, "", "on, off, or: not shown"},
    {"gpu_clocks", text, "", "now and at most, before the first measurement"},
    {"gpu_uuid", text, "", "of each GPU that the program saw: its first eight digits"},
};

using Columns = std::vector<Column>;

Columns joined(const std::vector<Columns>& parts) {
    Columns all;
    for (const Columns& part : parts) all.insert(all.end(), part.begin(), part.end());
    return all;
}

/// "kernel_ms_median" ..: the statistics of one time. median_low and median_high enclose the median
/// with a probability of 95 %.
Columns of_time(const std::string& name, const std::string& meaning) {
    Columns all;
    for (const char* statistic : {"median", "median_low", "median_high", "p05", "p95"})
        all.push_back({name + '_' + statistic, decimal, "ms", meaning});
    return all;
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
    const std::string part = "part of kernel_ms, of the rank with the most; median (MPI)";
    static const Columns columns = joined(
        {kOrigin,
         kPicture,
         {{"settings", text, "", "of the variant: threads=16 block=32", true}},
         kTurns,
         of_time("kernel_ms", "the convolution alone; on a GPU without the launch by the host"),
         of_time("total_ms", "with the copies to and from the device; of one frame"),
         {{"compute_ms", decimal, "ms", part},
          {"exchange_ms", decimal, "ms", part},
          {"wait_ms", decimal, "ms", part},
          {"copy_in_ms", decimal, "ms",
           "a frame to the device, alone; median (labs that compare frames)"},
          {"copy_out_ms", decimal, "ms", "the output to the host, likewise"}},
         kMeasured,
         kOutcome,
         {kDate, {"session", text, "", "key of the line of sessions.csv"}}});
    return columns;
}

const std::vector<Column>& session_columns() {
    static const Columns columns =
        joined({{{"session", text, "", "checksum of the line's other columns"}},
                kMachine,
                {kRevision, {"dirty", flag, "", "the sources differed from it"}},
                kSession});
    return columns;
}

const std::vector<Column>& setting_columns() {
    static const std::vector<Column> columns = [] {
        std::vector<Column> all;
        for (const Setting& setting : kSettings)
            all.push_back({setting.name, integer, "", setting.meaning, true});
        return all;
    }();
    return columns;
}

const std::vector<Column>& verify_columns() {
    static const Columns columns =
        joined({kOrigin,
                only(kMachine, {"machine", "device", "compiler", "flags", "build"}),
                only(kPicture, {"filter", "ksize", "border"}),
                {{"jobs", integer, "", "comparisons"},
                 {"samples_compared", integer, "samples", ""},
                 {"samples_different", integer, "samples", ""}},
                kOutcome,
                {kRevision, kDate}});
    return columns;
}

const std::vector<Column>& timeline_columns() {
    static const Columns columns =
        joined({kOrigin,
                only(kMachine, {"machine", "device"}),
                only(kPicture,
                     {"size", "width", "height", "channels", "type", "filter", "ksize", "border"}),
                {{"gpu", integer, "", "number of the device"},
                 {"stream", integer, "", "number of the stream on its device"},
                 {"part", integer, "", "number of the band or frame"},
                 {"what", text, "", "copy in, filter or copy out"},
                 {"start_ms", decimal, "ms", "since the run's first step"},
                 {"end_ms", decimal, "ms", "since the run's first step"}},
                {kRevision, kDate}});
    return columns;
}

const std::vector<Column>& clip_columns() {
    static const Columns columns =
        joined({kOrigin,
                only(kMachine, {"machine", "device"}),
                {{"video", text, "", "the clip that was read", true},
                 {"out", text, "", "the clip that was written; empty: none", true}},
                only(kPicture, {"width", "height"}),
                {{"rate", decimal, "1/s", "frames per second of the clip when it is watched"},
                 {"frames", integer, "", "frames read"},
                 {"seconds", decimal, "s", "from the first read to the last write"},
                 {"reading_ms", decimal, "ms", "per frame, without waiting for other stages"},
                 {"computing_ms", decimal, "ms", "the same, with copies to and from a device"},
                 {"writing_ms", decimal, "ms", "the same; empty: nothing was written"},
                 {"slowest", text, "", "the stage that sets the speed"}},
                {kRevision, kDate}});
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
