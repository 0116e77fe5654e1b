// SPDX-License-Identifier: MIT
// The two ways to use threads: a permanent team, and threads created and joined in each run.
#include "labs/02_pthread/shared/threads.hpp"

#include <sched.h>
#include <sys/resource.h>

#include <algorithm>
#include <atomic>
#include <fstream>
#include <string>
#include <thread>
#include <vector>

#include "common/base/error.hpp"
#include "common/threads/cpus.hpp"
#include "common/threads/thread_team.hpp"
#include "tests/catch.hpp"

using namespace convolab;

namespace {

/// While it lives, the process can get at most 64 MiB more address space: enough for the stacks of
/// a few threads.
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

TEST_CASE("a team throws what a member threw, once all are done, and goes on") {
    for (const int count : {1, 2, 5})
        for (const int thrower : {0, count - 1}) {
            std::atomic<int> done{0};
            ThreadTeam team(count);
            CHECK_THROWS_AS(team.run([&](int i) {
                if (i == thrower) throw Error("no");
                ++done;
            }),
                            Error);
            CHECK(done == count - 1);
            team.run([&](int) { ++done; });
            CHECK(done == 2 * count - 1);
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
TEST_CASE("if the system cannot create a thread, that is an error, and the earlier ones end") {
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

namespace {

/// Where this thread may run.
std::vector<int> here() {
    cpu_set_t set;
    CPU_ZERO(&set);
    sched_getaffinity(0, sizeof set, &set);
    std::vector<int> cpus;
    for (int cpu = 0; cpu < CPU_SETSIZE; ++cpu)
        if (CPU_ISSET(cpu, &set)) cpus.push_back(cpu);
    return cpus;
}

}  // namespace

TEST_CASE("the members of a team are pinned in the given order, the first is the caller") {
    const std::vector<int> all = allowed_cpus();
    const auto two = std::min<std::ptrdiff_t>(std::ssize(all), 2);
    const std::vector<int> order(all.rbegin(), all.rbegin() + two);
    pin_threads(order);
    std::vector<std::vector<int>> where(5);
    {
        ThreadTeam team(5);
        run_on_first(5);  // as before a turn; the team then resets its caller
        team.run([&](int i) { where[static_cast<std::size_t>(i)] = here(); });
    }
    CHECK(here() == std::vector<int>{order[0]});
    CHECK(allowed_cpus() == all);  // what is counted as the process's CPUs does not change
    CHECK(cpu_count() == static_cast<int>(all.size()));
    unpin_threads();
    for (std::size_t i = 0; i < where.size(); ++i)
        CHECK(where[i] == std::vector<int>{order[i % order.size()]});
    CHECK(here() == all);
}

TEST_CASE("threads that are created in the run share the first CPUs, as many as they are") {
    const std::vector<int> all = allowed_cpus();
    pin_threads(all);
    const auto share = std::min<std::size_t>(all.size(), 2);
    run_on_first(2);
    std::vector<int> where;
    {
        Threads threads;
        threads.start([&] { where = here(); });
        threads.join();
    }
    unpin_threads();
    CHECK(where == std::vector<int>(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(share)));
}

TEST_CASE("untimed work may use all CPUs, and pinning comes back") {
    const std::vector<int> all = allowed_cpus();
    pin_threads({all.back()});
    {
        const NotPinned scope;
        CHECK(here() == all);
    }
    CHECK(here() == std::vector<int>{all.back()});
    unpin_threads();
    {
        const NotPinned scope;
        CHECK(here() == all);
    }
    CHECK(here() == all);
}

TEST_CASE("without pinning a thread runs wherever the process may") {
    const std::vector<int> all = allowed_cpus();
    run_on_first(1);
    CHECK(here() == all);
    std::vector<int> where;
    ThreadTeam team(2);
    team.run([&](int i) {
        if (i == 1) where = here();
    });
    CHECK(where == all);
}

#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
TEST_CASE("a CPU that the process may not use gives an error message") {
    std::string words;
    try {
        pin_threads({CPU_SETSIZE - 1});
    } catch (const Error& error) {
        words = error.what();
    }
    CHECK(words.find("use --no-pinning") != std::string::npos);
    unpin_threads();
}
#endif
