// SPDX-License-Identifier: MIT
// Each command returns, as its exit code, what it found in the child that ran last.
#include "common/driver/supervisor.hpp"

#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <optional>
#include <utility>

#include "tests/catch.hpp"

using namespace convolab;

namespace {

[[noreturn]] void crash() {
    std::raise(SIGSEGV);
    std::abort();
}

int how_is(const std::string& variant, const std::string& how) {
    const auto ended = earlier_failure(variant);
    return ended && ended->job == "job" && ended->how == how ? 0 : 9;
}

int supervised(const std::function<int()>& command) {
    return supervise("00_test", [&]() -> int {
        ::close(STDERR_FILENO);
        for (const int signal : {SIGSEGV, SIGABRT, SIGTERM})
            std::signal(signal, SIG_DFL);  // removes Catch2's handlers
        std::_Exit(command());             // skips what Catch2 does at the end
    });
}

}  // namespace

TEST_CASE("a command that ends normally runs once, and its exit code is returned", "[supervisor]") {
    CHECK(supervised([] {
              const RunningVariant at("good", "job", 60);
              return 5;
          }) == 5);
    CHECK_FALSE(earlier_failure("good"));
}

TEST_CASE("a variant that crashes is left out by the next child", "[supervisor]") {
    CHECK(supervised([] {
              if (earlier_failure("bad")) return how_is("bad", "crashed (Segmentation fault)");
              const RunningVariant at("bad", "job", 60);
              crash();
          }) == 0);
}

TEST_CASE("a variant that ends the program is left out", "[supervisor]") {
    CHECK(supervised([] {
              if (earlier_failure("bad"))
                  return how_is("bad", "ended the program with exit code 3");
              const RunningVariant at("bad", "job", 60);
              std::_Exit(3);
          }) == 0);
}

TEST_CASE("a variant that exceeds its time limit is left out, not the one beside it",
          "[supervisor]") {
    CHECK(supervised([] {
              if (earlier_failure("endless"))
                  return earlier_failure("good") ? 8 : how_is("endless", "did not end within 1 s");
              std::optional<RunningVariant> good(std::in_place, "good", "job", 1);
              if (is_one_at_a_time()) good.reset();
              const RunningVariant endless("endless", "job", 1);
              for (;;) ::pause();
          }) == 0);
}

TEST_CASE("if one of two crashes, running them one at a time finds it", "[supervisor]") {
    CHECK(supervised([] {
              if (earlier_failure("bad")) return earlier_failure("good") ? 8 : 0;
              if (!is_one_at_a_time()) {
                  const RunningVariant good("good", "job", 60), bad("bad", "job", 60);
                  crash();
              }
              { const RunningVariant good("good", "job", 60); }
              const RunningVariant bad("bad", "job", 60);
              crash();
          }) == 0);
}

TEST_CASE("a child that cannot go on is followed by one that knows it", "[supervisor]") {
    CHECK(is_first_child());
    CHECK(supervised([] {
              if (earlier_failure("bad")) return is_first_child() ? 8 : how_is("bad", "failed");
              if (!is_first_child()) return 7;
              start_again_without("bad", "job", "failed");
              return 6;
          }) == 0);
}

TEST_CASE("a driver that crashes outside of a variant is not started again", "[supervisor]") {
    CHECK(supervised([]() -> int {
              { const RunningVariant at("good", "job", 60); }
              crash();
          }) == 128 + SIGSEGV);
}

TEST_CASE("a stop reaches the child once, and no other child follows", "[supervisor]") {
    CHECK(supervised([]() -> int {
              const RunningVariant at("endless", "job", 60);
              ::kill(::getppid(), SIGTERM);
              for (;;) ::pause();
          }) == 128 + SIGTERM);
}
