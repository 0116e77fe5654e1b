// SPDX-License-Identifier: MIT
#include "common/driver/progress.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <chrono>
#include <string>
#include <thread>

#include "common/driver/bench.hpp"
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

TEST_CASE("verify says how far it is also during a comparison that takes long", "[progress]") {
    const test::Folder folder;
    const std::string path = folder.file("words");
    const auto wait_for = [&](const std::string& words) {
        bool is_there = false;
        for (int ms = 0; ms < 10'000 && !is_there; ++ms) {
            std::this_thread::sleep_for(std::chrono::milliseconds(1));
            is_there = test::slurp(path).find(words) != std::string::npos;
        }
        CHECK(is_there);
    };
    const int before = ::dup(STDERR_FILENO);
    const int file = ::open(path.c_str(), O_CREAT | O_RDWR, 0600);
    ::dup2(file, STDERR_FILENO);
    {
        VerifyProgress progress("toy", 4, std::chrono::milliseconds(20));
        wait_for("toy: 0 % compared\n");
        progress.done(1);
        wait_for("\ntoy: 25 % compared, ");
        progress.end();
    }
    ::dup2(before, STDERR_FILENO);
    ::close(before);
    ::close(file);
}
