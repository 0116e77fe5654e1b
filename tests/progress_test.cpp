// Copyright (c) 2026 The Convolab authors
// SPDX-License-Identifier: MIT
#include "common/driver/progress.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <thread>

#include "tests/catch.hpp"

using convolab::Row;
using convolab::row_text;

TEST_CASE("a row without copies is told with its time, not as an emulator's", "[progress]") {
    const Row kernel_only = {{"status", "ok"},
                             {"kernel_ms_median", "1.5"},
                             {"kernel_ms_p05", "1.25"},
                             {"kernel_ms_p95", "2"}};
    CHECK(row_text(kernel_only) == "1.5 ms (1.25 to 2)");
    Row with_copies = kernel_only;
    with_copies.insert({{"total_ms_median", "9"}, {"gb_per_s", "100"}, {"ceiling_share", "0.5"}});
    CHECK(row_text(with_copies) == "1.5 ms (1.25 to 2), 100 GB/s, 50.0 % of a copy");
    with_copies["gb_per_s"] = "4130.7";
    with_copies["kernel_ms_p95"] = "12345.6";
    CHECK(row_text(with_copies) == "1.5 ms (1.25 to 12346), 4131 GB/s, 50.0 % of a copy");
}

TEST_CASE("a row of the emulator has no time; a failed one has its reason", "[progress]") {
    CHECK(row_text({{"status", "ok"}}).find("emulator") != std::string::npos);
    CHECK(row_text({{"status", "failed"}, {"reason", "3 differ"}}) == "failed: 3 differ");
}

TEST_CASE("verify says how far it is also during a comparison that takes long", "[progress]") {
    const std::string path = std::filesystem::temp_directory_path() /
                             ("convolab_progress_" + std::to_string(::getpid()));
    const int before = ::dup(STDERR_FILENO);
    const int file = ::open(path.c_str(), O_CREAT | O_RDWR | O_TRUNC, 0600);
    ::dup2(file, STDERR_FILENO);
    {
        convolab::VerifyProgress progress("toy", 4, std::chrono::milliseconds(20));
        std::this_thread::sleep_for(std::chrono::milliseconds(200));
        progress.done(1);
        std::this_thread::sleep_for(std::chrono::milliseconds(200));
        progress.end();
    }
    ::dup2(before, STDERR_FILENO);
    ::close(before);
    ::close(file);
    std::stringstream words;
    words << std::ifstream(path).rdbuf();
    std::filesystem::remove(path);
    CHECK(words.str().rfind("toy: 0 % compared\n", 0) == 0);
    CHECK(words.str().find("\ntoy: 25 % compared, ") != std::string::npos);
}
