// SPDX-License-Identifier: MIT
#include "common/driver/progress.hpp"

#include <cmath>
#include <iostream>
#include <utility>

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

}  // namespace

BenchProgress::BenchProgress(const std::string& lab, const Options& options,
                             const std::vector<Task>& pending)
    : lab_(lab),
      options_(options),
      pending_(pending.size()),
      left_(work_of(pending, options.rounds)) {}

void BenchProgress::begin(std::size_t tasks) {
    const std::size_t measured = tasks - pending_;
    std::cerr << lab_ << ": " << count_of(tasks, "configuration") << ", "
              << count_of(options_.iterations, "iteration") << " in "
              << count_of(options_.rounds, "round") << ", " << count_of(options_.warmup, "warm-up")
              << " in each";
    if (median_rank(static_cast<std::size_t>(options_.iterations)) == 0)
        std::cerr << ", too few to call a row noisy";
    if (measured > 0)
        std::cerr << "; " << measured << (measured == 1 ? " is" : " are") << " measured already";
    std::cerr << std::endl;
}

void BenchProgress::set_up(const Task& task) {
    where_ = "setting up " + describe(task);
    say(lab_ + ": " + where_);
}

void BenchProgress::say(const std::string& text) {
    const auto now = std::chrono::steady_clock::now();
    if (now - said_ < std::chrono::seconds(10)) return;
    said_ = now;
    std::cerr << text << left_.text() << std::endl;
}

void BenchProgress::group(std::size_t configurations, const Size& size) {
    if (configurations > 1)
        std::cerr << lab_ << ' ' << size.name << ": " << configurations
                  << " configurations take turns" << std::endl;
}

void BenchProgress::turn(const Task& task, int round) {
    where_ = "round " + std::to_string(round + 1) + " of " + std::to_string(options_.rounds) +
             " at " + task.size.name;
    say(lab_ + ", " + where_ + ": " + describe(task));
}

void BenchProgress::done(const Task& task, int rounds) { left_.done(pixels(task) * rounds); }

void BenchProgress::row(const Task& task, const std::string& text) {
    std::cerr << lab_ << ' ' << describe(task) << ": " << text << std::endl;
}

void BenchProgress::interrupted(const std::string& csv) {
    std::cerr << lab_ << ": interrupted, " << where_ << "; "
              << (csv.empty() ? "no file was asked for (--csv)"
                              : "finished rows are in " + csv + ", run again to continue")
              << std::endl;
}

VerifyProgress::VerifyProgress(std::string lab, double cost, std::chrono::milliseconds period)
    : lab_(std::move(lab)), left_(cost) {
    clock_ = std::jthread([this, period](const std::stop_token& stop) {
        std::unique_lock lock(mutex_);
        for (;;) {
            never_.wait_for(lock, stop, period, [] { return false; });
            if (stop.stop_requested()) return;
            std::cerr << lab_ << ": " << static_cast<int>(100 * left_.share()) << " % compared"
                      << left_.text() << std::endl;
        }
    });
}

void VerifyProgress::done(double cost) {
    const std::scoped_lock lock(mutex_);
    left_.done(cost);
}

void VerifyProgress::end() { clock_ = {}; }

}  // namespace convolab
