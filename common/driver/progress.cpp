// Copyright (c) 2026 The Convolab authors
// SPDX-License-Identifier: MIT
#include "common/driver/progress.hpp"

#include <unistd.h>

#include <cmath>
#include <cstdio>

namespace convolab {

std::string duration_text(double seconds) {
    const long s = std::lround(std::ceil(seconds));
    if (s < 60) return std::to_string(s) + " s";
    if (s < 3600) return std::to_string(s / 60) + " min " + std::to_string(s % 60) + " s";
    return std::to_string(s / 3600) + " h " + std::to_string(s % 3600 / 60) + " min";
}

Progress::Progress(std::string lab, double expected_s)
    : lab_(std::move(lab)), left_s_(expected_s), terminal_(::isatty(STDERR_FILENO) == 1) {}

void Progress::clear_line() {
    if (line_shown_) std::fputs("\r\033[K", stderr);
    line_shown_ = false;
}

void Progress::begin(std::size_t tasks, std::size_t done, int iterations, int warmup) {
    std::fprintf(stderr, "%s: %zu configurations, %d iterations after %d warm-ups each",
                 lab_.c_str(), tasks, iterations, warmup);
    if (done > 0) std::fprintf(stderr, "; %zu are measured already", done);
    if (done < tasks) std::fprintf(stderr, "; expected time %s", duration_text(left_s_).c_str());
    std::fputc('\n', stderr);
}

void Progress::task(const std::string& variant, const std::string& size, int threads, int block,
                    double expected_s) {
    task_ = variant + ' ' + size;
    if (threads > 0) task_ += ", threads " + std::to_string(threads);
    if (block > 0) task_ += ", block " + std::to_string(block);
    left_s_ -= task_s_;
    task_s_ = expected_s;
    shown_ = {};
}

void Progress::iteration(int i, int of) {
    const auto now = std::chrono::steady_clock::now();
    if (!terminal_ || now - shown_ < std::chrono::milliseconds(200)) return;
    shown_ = now;
    const double left = left_s_ - task_s_ * i / of;
    std::fprintf(stderr, "\r\033[K%s %s: %d of %d, %s left", lab_.c_str(), task_.c_str(), i, of,
                 duration_text(left > 0 ? left : 0).c_str());
    line_shown_ = true;
}

void Progress::row(const Row& row) {
    clear_line();
    const auto field = [&](const std::string& name) {
        const auto found = row.find(name);
        return found == row.end() ? std::string() : found->second;
    };
    std::fprintf(stderr, "%s %s: ", lab_.c_str(), task_.c_str());
    if (field("status") != "ok") {
        std::fprintf(stderr, "%s: %s\n", field("status").c_str(), field("reason").c_str());
    } else if (field("total_ms_mean").empty()) {
        std::fputs("identical to the reference (an emulator's time means nothing)\n", stderr);
    } else {
        const bool copies = field("kernel_ms_mean").empty();
        const std::string time = copies ? "total_ms" : "kernel_ms";
        std::fprintf(stderr, "%.4g ms +- %.2g, %.3g GB/s, %.1f %% of %s%s; %s left\n",
                     from_decimal(field(time + "_mean")), from_decimal(field(time + "_stddev")),
                     from_decimal(field("gb_per_s")), 100 * from_decimal(field("ceiling_share")),
                     copies ? "the bus" : "a copy",
                     field("noisy") == "1" ? " (warning: noisy, the spread is over 5 %)" : "",
                     duration_text(left_s_ > task_s_ ? left_s_ - task_s_ : 0).c_str());
    }
}

void Progress::interrupted(const std::string& csv) {
    clear_line();
    std::fprintf(stderr, "%s: interrupted at %s; %s\n", lab_.c_str(), task_.c_str(),
                 csv.empty() ? "no file was asked for (--csv)"
                             : ("finished rows are in " + csv + ", run again to continue").c_str());
}

}  // namespace convolab
