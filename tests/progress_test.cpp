// SPDX-License-Identifier: MIT
#include "common/driver/progress.hpp"

#include <chrono>
#include <condition_variable>
#include <iostream>
#include <mutex>
#include <sstream>
#include <streambuf>
#include <string>

#include "common/driver/measurement.hpp"
#include "tests/kit.hpp"

using namespace convolab;

TEST_CASE("a row without copies is printed with its time, unlike the emulator's", "[progress]") {
    BenchResult result{.words = {{"status", "ok"}}};
    result.kernel_ms = Statistics{.median = 1.5, .p05 = 1.25, .p95 = 2};
    CHECK(result.text() == "1.5 ms (1.25 to 2)");
    result.total_ms = Statistics{.median = 9};
    result.numbers["gb_per_s"] = 100;
    result.ceiling_share = 0.5;
    CHECK(result.text() == "1.5 ms (1.25 to 2), 100 GB/s, 50.0 % of a copy");
    result.numbers["gb_per_s"] = 4130.7;
    result.kernel_ms->p95 = 12345.6;
    CHECK(result.text() == "1.5 ms (1.25 to 12346), 4131 GB/s, 50.0 % of a copy");
    result.ceiling_share = 4.55;
    CHECK(result.text().ends_with("455.0 % of a copy (from a cache)"));
    result.ceiling_share = 0.5;
    result.kernel_ms.reset();
    CHECK(result.text() == "9 ms (0 to 0), 4131 GB/s, 50.0 % of the bus");
}

TEST_CASE("a row of the emulator has no time; a failed one has its reason", "[progress]") {
    CHECK(BenchResult{.words = {{"status", "ok"}}}.text().find("emulator") != std::string::npos);
    const Row failed{{"status", "failed"}, {"reason", "3 differ"}};
    CHECK(BenchResult{.words = failed}.text() == "failed: 3 differ");
}

TEST_CASE("a result is a row of decimals, noisy where its median is uncertain") {
    BenchResult result{.words = {{"status", "ok"}}};
    CHECK(result.row() == result.words);
    result.total_ms = Statistics{.median = 0.1, .median_interval = Interval{0.0975, 0.1035}};
    result.numbers["occupancy"] = 0.5;
    const Row row = result.row();
    CHECK(row.at("total_ms_median") == "0.1");
    CHECK(row.at("total_ms_median_high") == "0.1035");
    CHECK(row.at("occupancy") == "0.5");
    CHECK(row.at("noisy") == "1");
    CHECK(row.count("kernel_ms_median") == 0);
}

/// What another thread writes to std::cerr.
class Words : public std::streambuf {
  public:
    Words() : before_(std::cerr.rdbuf(this)) {}
    ~Words() override { std::cerr.rdbuf(before_); }
    bool wait_for(const std::string& text) {
        std::unique_lock lock(mutex_);
        return more_.wait_for(lock, std::chrono::minutes(10),
                              [&] { return words_.find(text) != std::string::npos; });
    }

  private:
    int overflow(int c) override {
        const char one = static_cast<char>(c);
        xsputn(&one, 1);
        return c;
    }
    // Whole: a wake-up for each character would take long on a busy machine.
    std::streamsize xsputn(const char* text, std::streamsize size) override {
        const std::scoped_lock lock(mutex_);
        words_.append(text, static_cast<std::size_t>(size));
        more_.notify_one();
        return size;
    }
    std::mutex mutex_;
    std::condition_variable more_;
    std::string words_;
    std::streambuf* before_;
};

TEST_CASE("verify says how far it is also during a comparison that takes long", "[progress]") {
    Words words;
    VerifyProgress progress("toy", 4, std::chrono::milliseconds(1));
    // No CHECK between: with one, Catch2 3.7 takes std::cerr back.
    const bool began = words.wait_for("toy: 0 % compared");
    progress.done(1);
    const bool went_on = words.wait_for("toy: 25 % compared, ");
    progress.end();
    CHECK(began);
    CHECK(went_on);
}

TEST_CASE("bench --brief prints one line of what became of the rows, and those that failed",
          "[progress]") {
    const Variant slow{.name = "slow", .idea = ""}, fast{.name = "fast", .idea = ""};
    Options options;
    options.brief = true;
    const std::vector<Task> tasks = {{&slow, parse_size("480p"), 0, {}},
                                     {&fast, parse_size("480p"), 0, {}},
                                     {&fast, parse_size("4k"), 0, {}},
                                     {&slow, parse_size("4k"), 0, {}}};
    std::ostringstream text;
    std::streambuf* terminal = std::cerr.rdbuf(text.rdbuf());
    BenchProgress progress("lab", options, tasks);
    progress.begin(5);
    BenchResult result{.words = {{"status", "ok"}}};
    for (std::size_t i = 0; i < 3; ++i) {
        result.kernel_ms = Statistics{.median = i == 0 ? 8.0 : 2.5};
        progress.row(tasks[i], result);
    }
    progress.row(tasks[3], {.words = {{"status", "failed"}, {"reason", "3 differ"}}});
    progress.end();
    std::cerr.rdbuf(terminal);
    CHECK(text.str() ==
          "lab slow 4k: failed: 3 differ\n"
          "lab: 5 rows, 1 is measured already, 3 timed, 1 failed; fastest at 4k: fast, 2.5 ms\n");
}

TEST_CASE("what is left follows from what was done", "[progress]") {
    WorkLeft left(1000);
    left.done(5);
    CHECK(left.text().empty());  // too little to know
    left.done(495);
    CHECK(left.share() == 0.5);
    CHECK(left.text().ends_with(" left"));
}
