// Copyright (c) 2026 The Convolab authors
// SPDX-License-Identifier: MIT
#include "common/measurement/copy_speed.hpp"

#include <sys/syscall.h>
#include <unistd.h>

#include <chrono>
#include <cstring>
#include <mutex>
#include <numeric>
#include <set>
#include <thread>

#include "tests/catch.hpp"

using namespace convolab;

TEST_CASE("every way to copy copies every byte, from and to any address, and nothing else") {
    std::vector<char> from(1000);
    std::iota(from.begin(), from.end(), char{1});
    for (const Copy& copy : copies())
        for (const std::size_t bytes : {0, 1, 63, 64, 65, 130, 700})
            for (std::size_t shift = 0; shift < 65; ++shift) {
                std::vector<char> to(1000, 'x');
                copy(to.data() + shift, from.data() + 2 * shift, bytes);
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
    CHECK(fastest_copy_gb_per_s(2000, kThreads, {recorded, recorded}) > 0);
    CHECK(threads.size() == kThreads);
    CHECK(shares % kThreads == 0);
    CHECK(shares > 2 * 20 * kThreads);
    CHECK(bytes_copied == shares / kThreads * 1000);
}

TEST_CASE("what is done before each copy is not timed") {
    const auto copy = [](char* to, const char* from, std::size_t bytes) {
        std::memcpy(to, from, bytes);
    };
    int calls = 0;
    const auto pause = [&calls] {
        std::this_thread::sleep_for(std::chrono::milliseconds(5));
        ++calls;
    };
    CHECK(fastest_copy_gb_per_s(2000, 1, {copy}, pause) > 0.001);
    CHECK(calls >= 9);
}

TEST_CASE("the ceiling is the fastest of the ways") {
    const auto slow = [](char* to, const char* from, std::size_t bytes) {
        std::this_thread::sleep_for(std::chrono::milliseconds(5));
        std::memcpy(to, from, bytes);
    };
    const auto fast = [](char* to, const char* from, std::size_t bytes) {
        std::memcpy(to, from, bytes);
    };
    const double slow_gb_per_s = fastest_copy_gb_per_s(2000, 1, {slow});
    CHECK(slow_gb_per_s < 0.001);
    CHECK(fastest_copy_gb_per_s(2000, 1, {slow, fast}) > 2 * slow_gb_per_s);
    CHECK(fastest_copy_gb_per_s(2000, 1, {fast, slow}) > 2 * slow_gb_per_s);
}
