// SPDX-License-Identifier: MIT
// lab savings: what each filter and threshold saves of a clip. There is one row for each filter,
// side and threshold: how much still changes from frame to frame, how much quality the filter and
// the stream cost, and how many bytes the stream and FFV1 need for the same filtered frames.
#include <CLI/CLI.hpp>
#include <iomanip>
#include <iostream>

#include "common/base/atomic_file.hpp"
#include "common/base/error.hpp"
#include "common/driver/commands.hpp"
#include "common/driver/options.hpp"
#include "common/video/video.hpp"
#include "labs/10_noise_filter/commands/clip_savings.hpp"
#include "labs/10_noise_filter/commands/commands.hpp"

namespace convolab::noise_filter {
namespace {

std::string percent(const std::string& share) {
    if (share.empty()) return "-";
    std::ostringstream text;
    text << std::fixed << std::setprecision(2) << 100 * std::stod(share) << " %";
    return text.str();
}

void print(const std::vector<std::string>& cells) {
    const int widths[] = {9, 3, 10, 11, 11, 12, 12, 10, 10};
    for (std::size_t i = 0; i < cells.size(); ++i)
        std::cout << (i == 0 ? std::left : std::right) << std::setw(widths[i]) << cells[i];
    std::cout << std::endl;
}

void print(const Row& row) {
    const auto decibels = [](const std::string& psnr) { return psnr.empty() ? "exact" : psnr; };
    print({row.at("filter"), row.at("ksize"), row.at("threshold"),
           percent(row.at("changed_pixels")), percent(row.at("changed_samples")),
           decibels(row.at("filtered_psnr_db")), decibels(row.at("received_psnr_db")),
           percent(row.at("stream_share")), percent(row.at("ffv1_share"))});
}

}  // namespace

int savings_command(int argc, char** argv) {
    CLI::App app{
        "What filters and thresholds save: changes from frame to frame, quality, and the bytes of "
        "the difference stream and of FFV1, ffmpeg's lossless codec, for the same frames."};
    SavingsQuestion question;
    std::vector<std::string> filters = {"none", "box", "gaussian", "median"};
    std::vector<int> ksizes = {3, 5, 7, 9};
    std::string csv;
    question.video = "moving";
    app.add_option("--video", question.video,
                   "a clip, as `lab run` takes it; read once per filter (default: moving)");
    app.add_option("--length", question.length, "frames of the clip at most")
        ->check(CLI::Range(1, 1'000'000'000));
    app.add_option("--filter", filters, "none, box, gaussian, median (default: all)")
        ->delimiter(',');
    app.add_option("--ksize", ksizes, "sides of the filters (default: 3,5,7,9)")->delimiter(',');
    app.add_option("--threshold", question.thresholds, "thresholds (default: 0,5,20)")
        ->delimiter(',')
        ->check(CLI::Range(0, 255));
    app.add_option("--csv", csv, "write the rows to this file");
    if (!parse(app, argc, argv)) return 0;
    if (question.video == "-")
        throw UsageError("Option --video: savings reads the clip once per filter; name a file.");
    if (csv == "-")
        throw UsageError("Option --csv: rows go to a file, not to standard output; name one.");
    if (!csv.empty()) require_writable(csv);
    catch_interrupts();
    print({"filter", "K", "threshold", "pixels", "samples", "filtered dB", "received dB", "stream",
           "FFV1"});
    std::string text = csv_line(kSavingsColumns), reason;
    for (const auto& filter : filters)
        for (const int ksize : filter == "none" ? std::vector{0} : ksizes) {
            const auto rows = savings_rows(question, filter, ksize);
            if (rows.empty()) return interrupted_exit_code();
            for (const Row& row : rows) {
                print(row);
                std::vector<std::string> fields;
                for (const auto& column : kSavingsColumns) fields.push_back(row.at(column));
                text += csv_line(fields);
                reason = row.at("reason");
            }
        }
    std::cout
        << "pixels, samples: the share that differs from the frame before by more than the "
           "threshold; dB: PSNR against the clip; stream, FFV1: share of the frames' bytes.\n";
    if (!reason.empty()) std::cout << "FFV1 was skipped: " << reason << '\n';
    if (!csv.empty()) write_whole_file(csv, text.data(), text.size());
    return 0;
}

}  // namespace convolab::noise_filter
