// SPDX-License-Identifier: MIT
#include "common/driver/progress.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>

namespace convolab {

std::string duration_text(double seconds) {
    const long s = std::lround(std::ceil(seconds));
    if (s < 60) return std::to_string(s) + " s";
    if (s < 3600) return std::to_string(s / 60) + " min " + std::to_string(s % 60) + " s";
    return std::to_string(s / 3600) + " h " + std::to_string(s % 3600 / 60) + " min";
}

BenchProgress::BenchProgress(std::string lab, double expected_s)
    : lab_(std::move(lab)), left_s_(expected_s) {}

void BenchProgress::begin(std::size_t tasks, std::size_t done, const Options& options) {
    std::fprintf(stderr,
                 "%s: %zu configuration%s, %d iteration%s in %d round%s, %d warm-up%s in each",
                 lab_.c_str(), tasks, tasks == 1 ? "" : "s", options.iterations,
                 options.iterations == 1 ? "" : "s", options.rounds, options.rounds == 1 ? "" : "s",
                 options.warmup, options.warmup == 1 ? "" : "s");
    if (done > 0) std::fprintf(stderr, "; %zu %s measured already", done, done == 1 ? "is" : "are");
    if (done < tasks) std::fprintf(stderr, "; expected time %s", duration_text(left_s_).c_str());
    std::fputc('\n', stderr);
}

void BenchProgress::set_up(const std::string& what) {
    where_ = "setting up " + what;
    say(lab_ + ": " + where_);
}

void BenchProgress::say(const std::string& text) {
    const auto now = std::chrono::steady_clock::now();
    if (now - said_ < std::chrono::seconds(10)) return;
    said_ = now;
    std::fprintf(stderr, "%s\n", text.c_str());
}

void BenchProgress::group(std::size_t configurations, const std::string& size, double expected_s) {
    size_ = size;
    group_s_ = expected_s;
    left_s_ -= expected_s;
    said_ = std::chrono::steady_clock::now();
    if (configurations > 1)
        std::fprintf(stderr, "%s %s: %zu configurations take turns\n", lab_.c_str(), size.c_str(),
                     configurations);
}

void BenchProgress::turn(const std::string& what, int round, int rounds, double expected_s) {
    where_ = "round " + std::to_string(round) + " of " + std::to_string(rounds) + " at " + size_;
    say(lab_ + ", " + where_ + ": " + what + "; " +
        duration_text(std::max(0.0, left_s_ + group_s_)) + " left");
    group_s_ = std::max(0.0, group_s_ - expected_s);
}

void BenchProgress::row(const std::string& what, const std::string& text) {
    std::fprintf(stderr, "%s %s: %s\n", lab_.c_str(), what.c_str(), text.c_str());
}

void BenchProgress::interrupted(const std::string& csv) {
    std::fprintf(stderr, "%s: interrupted, %s; %s\n", lab_.c_str(), where_.c_str(),
                 csv.empty() ? "no file was asked for (--csv)"
                             : ("finished rows are in " + csv + ", run again to continue").c_str());
}

VerifyProgress::VerifyProgress(std::string lab, double cost, std::chrono::milliseconds period)
    : lab_(std::move(lab)), cost_(cost) {
    clock_ = std::jthread([this, period](const std::stop_token& stop) {
        std::unique_lock lock(mutex_);
        for (;;) {
            never_.wait_for(lock, stop, period, [] { return false; });
            if (stop.stop_requested()) return;
            std::fprintf(stderr, "%s\n", text().c_str());
        }
    });
}

std::string VerifyProgress::text() const {
    const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - start_;
    const double share = std::min(1.0, done_ / cost_);
    return lab_ + ": " + std::to_string(static_cast<int>(100 * share)) + " % compared" +
           (share < 0.01 ? ""  // too little to know
                         : ", " + duration_text(elapsed.count() * (1 - share) / share) + " left");
}

void VerifyProgress::done(double cost) {
    const std::scoped_lock lock(mutex_);
    done_ += cost;
}

void VerifyProgress::end() { clock_ = {}; }

}  // namespace convolab
