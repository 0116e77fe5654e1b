// Copyright (c) 2026 The Convolab authors
// SPDX-License-Identifier: MIT
//
// bench with variants made for the test: what is called in a turn, what becomes of a variant that goes
// wrong in the middle, which configurations take turns together.
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <map>
#include <string>

#include "common/base/error.hpp"
#include "common/measurement/columns.hpp"
#include "common/measurement/results.hpp"
#include "common/variant/lab.hpp"
#include "tests/catch.hpp"

using namespace convolab;
namespace fs = std::filesystem;

namespace {

/// As __constant__ memory: all jobs of a variant share it.
int constant = 0;
int wrong_after = -1;  ///< runs after which the output is wrong

class Toy final : public Convolver {
  public:
    explicit Toy(const Job& job)
        : ksize_(job.filter.ksize()), right_(reference_convolution(job)), output_(right_) {}
    void upload() override { constant = ksize_; }
    void run() override {
        if (constant == ksize_ && (wrong_after < 0 || ++runs_ <= wrong_after)) output_ = right_;
    }
    Image result() const override { return output_; }
    void poison() override { output_.poison(); }

  private:
    int ksize_;
    int runs_ = 0;
    Image right_, output_;
};

/// Half of 64 MiB, which the test says are free.
const Variant toy{.name = "toy",
                  .idea = "",
                  .make = [](const Job& job) { return std::make_unique<Toy>(job); },
                  .memory =
                      [](const Job& job) {
                          const bool large = job.image().width() == 40;
                          return MemoryNeed{large ? std::int64_t{40} << 20 : 1000, 0};
                      }};

std::vector<Row> rows_of_bench(const std::string& options) {
    const fs::path path =
        fs::temp_directory_path() / ("convolab_bench_" + std::to_string(::getpid()));
    std::vector<std::string> words = {"lab", "bench", "--csv", path.string(), "--fresh"};
    for (std::size_t at = 0; at < options.size();) {
        const auto end = std::min(options.find(' ', at), options.size());
        words.push_back(options.substr(at, end - at));
        at = end + 1;
    }
    std::vector<char*> arguments;
    for (std::string& word : words) arguments.push_back(word.data());
    constant = 0;
    run_lab(static_cast<int>(arguments.size()), arguments.data(),
            {.name = "toy", .variants = {&toy}});
    auto rows = read_results(path.string(), names(timing_columns()));
    fs::remove(path);
    return rows;
}

}  // namespace

TEST_CASE("jobs that share constants are right in every turn, whoever had the turn before") {
    const auto rows =
        rows_of_bench("--ksize 3,5,7 --size 64x48 --iterations 20 --warmup 1 --seed 5");
    REQUIRE(rows.size() == 3);
    for (const Row& row : rows) {
        INFO(row.at("reason"));
        CHECK(row.at("status") == "ok");
        CHECK(row.at("in_round") == "3");
        CHECK(row.at("rounds") == "4");
        CHECK(row.at("seed") == "5");
        CHECK(row.at("iterations") == "20");
    }
}

TEST_CASE("a variant whose last output is wrong has no times") {
    wrong_after = 12;  // 1 to estimate on its own object, 1 to verify, 20 + 4 to measure
    const auto rows = rows_of_bench("--ksize 3,5 --size 64x48 --iterations 20 --warmup 1");
    wrong_after = -1;
    REQUIRE(rows.size() == 2);
    for (const Row& row : rows) {
        CHECK(row.at("status") == "failed");
        CHECK(row.at("reason").rfind("after timing: ", 0) == 0);
        CHECK(row.at("kernel_ms_median").empty());
    }
}

TEST_CASE("what does not fit in memory beside the others takes its turns alone") {
    ::setenv("CONVOLAB_MEMORY_FREE", std::to_string(64 << 20).c_str(), 1);
    const auto rows = rows_of_bench("--ksize 3,5 --size 40x30,41x30 --iterations 10 --warmup 0");
    ::unsetenv("CONVOLAB_MEMORY_FREE");
    REQUIRE(rows.size() == 4);
    for (const Row& row : rows) {
        CHECK(row.at("status") == "ok");
        CHECK(row.at("in_round") == (row.at("width") == "40" ? "1" : "2"));
    }
}
