// SPDX-License-Identifier: MIT
#include "common/driver/progress.hpp"

#include <cmath>
#include <iostream>
#include <utility>

#include "common/measurement/csv.hpp"
#include "common/measurement/statistics.hpp"

namespace convolab {

std::string duration_text(double seconds) {
    const long s = std::lround(std::ceil(seconds));
    if (s < 60) return std::to_string(s) + " s";
    if (s < 3600) return std::to_string(s / 60) + " min " + std::to_string(s % 60) + " s";
    return std::to_string(s / 3600) + " h " + std::to_string(s % 3600 / 60) + " min";
}

std::string WorkLeft::text() const {
    const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - start_;
    if (share() < 0.01) return "";
    return ", " + duration_text(elapsed.count() * (1 - share()) / share()) + " left";
}

void StatusLine::say(const std::string& text) {
    constexpr std::size_t kColumns = 79;
    if (is_terminal_)
        std::cerr << "\r\033[K" << text.substr(0, kColumns) << std::flush;
    else
        std::cerr << text << std::endl;
    is_there_ = true;
}

void StatusLine::clear() {
    if (is_terminal_ && is_there_) std::cerr << "\r\033[K" << std::flush;
    is_there_ = false;
}

namespace {

double pixels(const Task& task) {
    return static_cast<double>(task.size.width) * static_cast<double>(task.size.height);
}

double work_of(const std::vector<Task>& tasks, int rounds) {
    double sum = 0;
    for (const Task& task : tasks) sum += pixels(task) * rounds;
    return sum;
}

std::string count_of(std::size_t n, const char* what) {
    return std::to_string(n) + ' ' + what + (n == 1 ? "" : "s");
}

std::string already(std::size_t n) {
    return std::to_string(n) + (n == 1 ? " is" : " are") + " measured already";
}

}  // namespace

BenchProgress::BenchProgress(const std::string& lab, const Options& options,
                             const std::vector<Task>& pending)
    : lab_(lab),
      options_(options),
      pending_(pending.size()),
      left_(work_of(pending, options.rounds)) {}

void BenchProgress::begin(std::size_t tasks) {
    measured_before_ = tasks - pending_;
    if (options_.brief) return;
    std::cerr << lab_ << ": " << count_of(tasks, "configuration") << ", "
              << count_of(options_.iterations, "iteration") << " in "
              << count_of(options_.rounds, "round") << ", " << count_of(options_.warmup, "warm-up")
              << " in each";
    if (median_rank(static_cast<std::size_t>(options_.iterations)) == 0)
        std::cerr << ", too few to call a row noisy";
    if (measured_before_ > 0) std::cerr << "; " << already(measured_before_);
    std::cerr << std::endl;
}

void BenchProgress::set_up(const Task& task) {
    where_ = "setting up " + describe(task);
    say(lab_ + ": " + where_);
}

void BenchProgress::say(const std::string& text) {
    const auto now = std::chrono::steady_clock::now();
    if (now - said_ < status_.period()) return;
    said_ = now;
    status_.say(text + left_.text());
}

void BenchProgress::turn(const Task& task, int round) {
    where_ = "round " + std::to_string(round + 1) + " of " + std::to_string(options_.rounds) +
             " at " + task.size.name;
    say(lab_ + ": " + where_);
}

void BenchProgress::done(const Task& task, int rounds) { left_.done(pixels(task) * rounds); }

void BenchProgress::row(const Task& task, const BenchResult& result) {
    const std::string& status = result.words.at("status");
    const bool has_time = result.kernel_ms || result.total_ms;
    ++rows_[status != "ok" ? status : has_time ? "timed" : "identical"];
    if (has_time && result.row().at("noisy") == "1") ++rows_["noisy"];
    if (has_time && (task.size.name != size_ || result.time().median < fastest_ms_)) {
        size_ = task.size.name;
        fastest_ms_ = result.time().median;
        fastest_ = task.variant->name;
    }
    if (options_.brief && status != "failed") return;
    status_.clear();
    std::cerr << lab_ << ' ' << describe(task) << ": " << result.text() << std::endl;
}

void BenchProgress::end() {
    status_.clear();
    if (!options_.brief) return;
    std::string text = lab_ + ": " + count_of(pending_ + measured_before_, "row");
    if (measured_before_ > 0) text += ", " + already(measured_before_);
    for (const char* what : {"timed", "identical", "unsupported", "skipped", "failed", "noisy"})
        if (rows_.count(what) > 0) text += ", " + std::to_string(rows_.at(what)) + ' ' + what;
    if (rows_.count("identical") > 0) text += " (an emulator has no times)";
    if (!fastest_.empty())
        text +=
            "; fastest at " + size_ + ": " + fastest_ + ", " + to_digits(fastest_ms_, 3) + " ms";
    std::cerr << text << std::endl;
}

void BenchProgress::interrupted(const std::string& csv) {
    status_.clear();
    std::cerr << lab_ << ": interrupted, " << where_ << "; "
              << (csv.empty() ? "no file was asked for (--csv)"
                              : "finished rows are in " + csv + ", run again to continue")
              << std::endl;
}

VerifyProgress::VerifyProgress(std::string lab, double cost,
                               std::optional<std::chrono::milliseconds> period)
    : lab_(std::move(lab)), left_(cost) {
    clock_ = std::jthread(
        [this, period = period.value_or(status_.period())](const std::stop_token& stop) {
            std::unique_lock lock(mutex_);
            for (;;) {
                never_.wait_for(lock, stop, period, [] { return false; });
                if (stop.stop_requested()) return;
                status_.say(lab_ + ": " + std::to_string(static_cast<int>(100 * left_.share())) +
                            " % compared" + left_.text());
            }
        });
}

void VerifyProgress::done(double cost) {
    const std::scoped_lock lock(mutex_);
    left_.done(cost);
}

void VerifyProgress::end() {
    clock_ = {};
    status_.clear();
}

}  // namespace convolab
