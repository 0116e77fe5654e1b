// SPDX-License-Identifier: MIT
#include <sys/syscall.h>
#include <unistd.h>

#include <chrono>
#include <cstring>
#include <mutex>
#include <numeric>
#include <set>
#include <thread>

#include "common/measurement/cpu_backend.hpp"
#include "tests/catch.hpp"

using namespace convolab;

TEST_CASE("every way to copy copies every byte, from and to any address, and nothing else") {
    std::vector<char> from(1000);
    std::iota(from.begin(), from.end(), char{1});
    for (const Copy& copy : copies())
        for (const std::size_t bytes : {0, 1, 63, 64, 65, 130, 700})
            for (std::size_t shift = 0; shift < 65; ++shift) {
                std::vector<char> to(1000, 'x');
                copy.copy(to.data() + shift, from.data() + 2 * shift, bytes);
                std::vector<char> expected(1000, 'x');
                std::memcpy(expected.data() + shift, from.data() + 2 * shift, bytes);
                INFO(bytes << " bytes, shifted by " << shift);
                REQUIRE(to == expected);
            }
}

TEST_CASE("the ceiling creates its threads once, not in each timed copy") {
    constexpr int kThreads = 3;
    std::mutex mutex;
    std::set<long> threads;
    std::size_t shares = 0;
    std::size_t bytes_copied = 0;
    const auto recorded = [&](char* to, const char* from, std::size_t bytes) {
        std::memcpy(to, from, bytes);
        const std::lock_guard lock(mutex);
        threads.insert(syscall(SYS_gettid));
        ++shares;
        bytes_copied += bytes;
    };
    const CopySpeed speed = fastest_copy(2000, kThreads, {{"one", recorded}, {"two", recorded}});
    CHECK(speed.gb_per_s > 0);
    CHECK(speed.how.starts_with("3 threads, "));
    CHECK(threads.size() == kThreads);
    CHECK(shares % kThreads == 0);
    CHECK(shares > 2 * 10 * kThreads);
    CHECK(bytes_copied == shares / kThreads * 1000);
}

TEST_CASE("the ceiling is the median of all turns") {
    int turn = 0;
    const auto slow_once = [&](char* to, const char* from, std::size_t bytes) {
        if (turn == 0) std::this_thread::sleep_for(std::chrono::milliseconds(20));
        std::memcpy(to, from, bytes);
    };
    CopyTimes times(2000, 1, {{"one", slow_once}});
    times.time(1);
    const double first = times.fastest().gb_per_s;
    for (turn = 1; turn < 5; ++turn) times.time(1);
    CHECK(times.fastest().gb_per_s > 2 * first);
}

TEST_CASE("the ceiling is the fastest of the ways") {
    const auto slow = [](char* to, const char* from, std::size_t bytes) {
        std::this_thread::sleep_for(std::chrono::milliseconds(5));
        std::memcpy(to, from, bytes);
    };
    const auto fast = [](char* to, const char* from, std::size_t bytes) {
        std::memcpy(to, from, bytes);
    };
    const double slow_gb_per_s = fastest_copy(2000, 1, {{"slow", slow}}).gb_per_s;
    CHECK(slow_gb_per_s < 0.001);
    for (const auto& ways : {std::vector<Copy>{{"slow", slow}, {"fast", fast}},
                             std::vector<Copy>{{"fast", fast}, {"slow", slow}}}) {
        const CopySpeed speed = fastest_copy(2000, 1, ways);
        CHECK(speed.gb_per_s > 2 * slow_gb_per_s);
        CHECK(speed.how == "1 thread, fast");
    }
}
