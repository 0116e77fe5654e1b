// SPDX-License-Identifier: MIT
// bench with variants made for the test: what it calls in a turn, what happens to a variant that
// goes wrong in the middle, and which configurations take turns together.
#include <unistd.h>

#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>

#include "common/base/error.hpp"
#include "common/driver/run_lab.hpp"
#include "common/measurement/columns.hpp"
#include "common/measurement/cpu_backend.hpp"
#include "common/measurement/results.hpp"
#include "tests/catch.hpp"
#include "tests/toy_gpu.hpp"

using namespace convolab;
namespace fs = std::filesystem;

namespace {

/// Like __constant__ memory: all jobs of a variant share it.
int constant = 0;
int wrong_after = -1;  ///< runs after which the output is wrong

class Toy final : public Convolver {
  public:
    explicit Toy(const Job& job)
        : ksize_(job.filter.ksize()), right_(reference_convolution(job)), output_(right_.copy()) {}
    void upload() override { constant = ksize_; }
    void run() override {
        if (constant == ksize_ && (wrong_after < 0 || ++runs_ <= wrong_after))
            output_ = right_.copy();
    }
    const Image& result() override { return output_; }
    void poison() override { output_.poison(); }

  private:
    int ksize_;
    int runs_ = 0;
    Image right_, output_;
};

/// It needs half of the 64 MiB that the test sets as free.
const Variant toy{.name = "toy",
                  .idea = "",
                  .make = [](const Job& job) { return std::make_unique<Toy>(job); },
                  .memory =
                      [](const Job& job) {
                          const bool large = job.image().width() == 40;
                          return MemoryNeed{large ? std::int64_t{40} << 20 : 1000, 0};
                      }};

std::vector<Row> rows_of_bench(const std::string& options, const Variant& variant = toy,
                               Backend& backend = cpu_backend(),
                               const Operation& operation = Operation()) {
    const fs::path folder =
        fs::temp_directory_path() / ("convolab_bench_" + std::to_string(::getpid()));
    fs::create_directory(folder);
    const fs::path path = folder / "x.csv";
    std::vector<std::string> words = {"lab", "bench", "--csv", path.string(), "--fresh"};
    for (std::size_t at = 0; at < options.size();) {
        const auto end = std::min(options.find(' ', at), options.size());
        words.push_back(options.substr(at, end - at));
        at = end + 1;
    }
    std::vector<char*> arguments;
    for (std::string& word : words) arguments.push_back(word.data());
    constant = 0;
    run_lab_here(
        static_cast<int>(arguments.size()), arguments.data(),
        {.name = "toy", .variants = {&variant}, .backend = &backend, .operation = operation});
    auto rows = with_sessions(read_results(path.string(), names(timing_columns())), path.string());
    fs::remove_all(folder);
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
    wrong_after = 12;  // 1 to verify, 20 + 4 to measure
    const auto rows = rows_of_bench("--ksize 3,5 --size 64x48 --iterations 20 --warmup 1");
    wrong_after = -1;
    REQUIRE(rows.size() == 2);
    for (const Row& row : rows) {
        CHECK(row.at("status") == "failed");
        CHECK(row.at("reason").rfind("after timing: ", 0) == 0);
        CHECK(row.at("kernel_ms_median").empty());
    }
}

TEST_CASE("a variant that does not fit in memory beside the others takes its turns alone") {
    ::setenv("CONVOLAB_MEMORY_FREE", std::to_string(64 << 20).c_str(), 1);
    const auto rows = rows_of_bench("--ksize 3,5 --size 40x30,41x30 --iterations 10 --warmup 0");
    ::unsetenv("CONVOLAB_MEMORY_FREE");
    REQUIRE(rows.size() == 4);
    for (const Row& row : rows) {
        CHECK(row.at("status") == "ok");
        CHECK(row.at("in_round") == (row.at("width") == "40" ? "1" : "2"));
    }
}

namespace {

/// Two ranks. Run n, from 1 on, computes for n ms, exchanges for 2 n ms and waits for 3 n ms.
class ToyRanks final : public Convolver {
  public:
    explicit ToyRanks(const Job& job)
        : right_(reference_convolution(job)), output_(right_.copy()) {}
    void run() override {
        ++runs_;
        output_ = right_.copy();
    }
    std::optional<RankTimes> rank_times() const override {
        return RankTimes{1.0 * runs_, 2.0 * runs_, 3.0 * runs_};
    }
    const Image& result() override { return output_; }
    void poison() override { output_.poison(); }

  private:
    int runs_ = 0;
    Image right_, output_;
};

const Variant toy_ranks{.name = "toy",
                        .idea = "",
                        .make = [](const Job& job) -> std::unique_ptr<Convolver> {
                            if (job.settings.ranks > job.out_height())
                                throw UnfitSetting("There are more ranks than rows.");
                            return std::make_unique<ToyRanks>(job);
                        },
                        .uses = kUsesRanks};

}  // namespace

TEST_CASE("the times of ranks are the medians of the timed runs") {
    // Runs: one to verify, then per round one that warms up and three that are timed.
    const auto rows = rows_of_bench(
        "--size 64x48 --iterations 3 --rounds 1 --warmup 1 --ranks 2,49 --seed 5", toy_ranks);
    REQUIRE(rows.size() == 2);
    CHECK(rows[0].at("settings") == "ranks=2");
    const double compute = std::stod(rows[0].at("compute_ms"));
    CHECK(compute >= 3);
    CHECK(compute == std::floor(compute));
    CHECK(std::stod(rows[0].at("exchange_ms")) == 2 * compute);
    CHECK(std::stod(rows[0].at("wait_ms")) == 3 * compute);
    CHECK(rows[1].at("status") == "unsupported");
    CHECK(rows[1].at("reason") == "There are more ranks than rows.");
    for (const char* column : {"compute_ms", "exchange_ms", "wait_ms"}) {
        CHECK(rows[1].at(column).empty());
        CHECK(rows_of_bench("--size 64x48 --iterations 3")[0].at(column).empty());
    }
}

TEST_CASE("the times of ranks are those of the runs of kernel_ms, not of the runs with copies") {
    const std::string options = "--size 64x48 --iterations 3 --rounds 1 --warmup 1 --ranks 2";
    ToyGpu gpu;  // it also times the copies
    const Row alone = rows_of_bench(options, toy_ranks).at(0);
    const Row beside = rows_of_bench(options, toy_ranks, gpu).at(0);
    CHECK_FALSE(beside.at("total_ms_median").empty());
    CHECK(beside.at("compute_ms") == alone.at("compute_ms"));
}

TEST_CASE("of labs that compare frames, a GPU's rows have the times of the copies alone") {
    Operation of_two_frames;
    of_two_frames.frames = 2;
    of_two_frames.has_filter = false;
    of_two_frames.reference = [](const Job& job) { return job.frames.back()->copy(); };
    struct Latest final : Convolver {
        explicit Latest(const Job& job) : job(job), output(job.frames.back()->copy()) {}
        void run() override { output = job.frames.back()->copy(); }
        const Image& result() override { return output; }
        void poison() override { output.poison(); }
        Job job;
        Image output;
    };
    const Variant latest{.name = "latest", .idea = "", .make = [](const Job& job) {
                             return std::make_unique<Latest>(job);
                         }};
    ToyGpu gpu;
    const std::string options = "--size 64x48 --iterations 3 --rounds 1 --warmup 1 --image moving";
    const Row row = rows_of_bench(options, latest, gpu, of_two_frames).at(0);
    CHECK(row.at("reason").empty());
    CHECK(row.at("copy_in_ms") == "1");  // the value of ToyGpu
    CHECK(row.at("copy_out_ms") == "1");
    CHECK(rows_of_bench(options + " --kernel-only", latest, gpu, of_two_frames)
              .at(0)
              .at("copy_in_ms")
              .empty());
    CHECK(rows_of_bench(options, latest, cpu_backend(), of_two_frames)
              .at(0)
              .at("copy_in_ms")
              .empty());
    CHECK(rows_of_bench("--size 64x48 --iterations 3", toy, gpu).at(0).at("copy_in_ms").empty());
}

TEST_CASE("a setting that does not fit the picture is a usage error of run") {
    const auto code = [](const std::string& ranks) {
        std::string words[] = {"lab",     "run",     "--image", "random:64x48:1",
                               "--check", "--ranks", ranks};
        std::vector<char*> arguments;
        for (std::string& word : words) arguments.push_back(word.data());
        return run_lab_here(static_cast<int>(arguments.size()), arguments.data(),
                            {.name = "toy", .variants = {&toy_ranks}, .backend = &cpu_backend()});
    };
    CHECK(code("49") == 2);
    CHECK(code("48") == 0);
}
