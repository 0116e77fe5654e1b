// Copyright (c) 2026 The Convolab authors
// SPDX-License-Identifier: MIT
//
// The two ways to threads: a team that stays, and threads created and joined in each run.
#include "labs/02_pthread/shared/threads.hpp"

#include <sys/resource.h>

#include <atomic>
#include <fstream>
#include <string>
#include <vector>

#include "common/base/error.hpp"
#include "common/threads/thread_team.hpp"
#include "tests/catch.hpp"

using namespace convolab;

namespace {

/// While it lives the process gets at most 64 MiB more of address space: room for the stacks of a
/// few threads.
class LittleMemory {
  public:
    LittleMemory() {
        getrlimit(RLIMIT_AS, &before_);
        std::int64_t pages = 0;
        std::ifstream("/proc/self/statm") >> pages;
        rlimit less = before_;
        less.rlim_cur = static_cast<rlim_t>(pages * 4096 + (64 << 20));
        setrlimit(RLIMIT_AS, &less);
    }
    ~LittleMemory() { setrlimit(RLIMIT_AS, &before_); }
    LittleMemory(const LittleMemory&) = delete;
    LittleMemory& operator=(const LittleMemory&) = delete;

  private:
    rlimit before_{};
};

constexpr int kTooMany = 256;

}  // namespace

TEST_CASE("each member of a team does its work once per run") {
    for (const int count : {1, 2, 5}) {
        std::vector<int> done(static_cast<std::size_t>(count));
        ThreadTeam team(count);
        for (int run = 1; run <= 100; ++run) {
            team.run([&](int i) { ++done[i]; });
            CHECK(done == std::vector<int>(static_cast<std::size_t>(count), run));
        }
    }
}

TEST_CASE("a team that never runs ends") { const ThreadTeam team(3); }

TEST_CASE("joined threads have all done their work") {
    for (int run = 0; run < 20; ++run) {
        std::atomic<int> sum{0};
        Threads threads;
        for (int i = 1; i <= 4; ++i) threads.start([&sum, i] { sum += i; });
        threads.join();
        CHECK(sum == 10);
    }
}

#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
TEST_CASE("a thread that the system refuses is an error, and those before it end") {
    std::atomic<int> started{0};
    std::string team;
    std::string threads;
    {
        const LittleMemory limit;
        try {
            const ThreadTeam all(kTooMany);
        } catch (const Error& error) {
            team = error.what();
        }
        try {
            Threads all;
            for (int i = 0; i < kTooMany; ++i) all.start([&started] { ++started; });
        } catch (const Error& error) {
            threads = error.what();
        }
    }
    INFO(team);
    CHECK(team.find("of 256 could not be created") != std::string::npos);
    INFO(threads);
    CHECK(threads.rfind("Thread " + std::to_string(started + 1) + " ", 0) == 0);
}
#endif
