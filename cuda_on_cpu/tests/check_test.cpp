// SPDX-License-Identifier: MIT
// cuda-on-cpu check on the programs in mistakes/, each with one mistake, and on those in correct/.
// A program says in its first lines what check must say: one mistake, in these words.
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "catch.hpp"

namespace {

namespace fs = std::filesystem;

struct Verdict {
    int exit_code;
    std::string text;  // without its line breaks
};

std::string words_of(const std::string& text) {
    std::istringstream words(text);
    std::string result;
    for (std::string word; words >> word;) result += (result.empty() ? "" : " ") + word;
    return result;
}

Verdict told(const fs::path& folder, const std::string& command) {
    const std::string line =
        "{ cd '" + folder.string() + "' && " + command + "; } 2>&1 < /dev/null";
    std::FILE* const pipe = popen(line.c_str(), "r");
    std::string text;
    char part[4096];
    for (std::size_t n; (n = fread(part, 1, sizeof part, pipe)) > 0;) text.append(part, n);
    return {WEXITSTATUS(pclose(pipe)), words_of(text)};
}

Verdict check(const fs::path& program) {
    return told(program.parent_path(), "../../cuda-on-cpu check " + program.filename().string());
}

std::set<fs::path> programs_in(const char* folder) {
    std::set<fs::path> programs;
    for (const auto& entry : fs::directory_iterator(fs::absolute(__FILE__).parent_path() / folder))
        if (entry.path().extension() == ".cu") programs.insert(entry.path());
    return programs;
}

// The texts after "// says: ".
std::vector<std::string> expected(const fs::path& program) {
    static const std::string mark = "// says: ";
    std::vector<std::string> all;
    std::ifstream file(program);
    for (std::string line; std::getline(file, line);)
        if (line.rfind(mark, 0) == 0) all.push_back(line.substr(mark.size()));
    return all;
}

void check_words(const fs::path& program, const Verdict& verdict) {
    for (const std::string& words : expected(program)) {
        INFO("expected: " << words);
        CHECK(verdict.text.find(words) != std::string::npos);
    }
}

}  // namespace

TEST_CASE("check finds each mistake, once, and says what it is and what helps") {
    REQUIRE(programs_in("mistakes").size() >= 30);
    for (const fs::path& program : programs_in("mistakes")) {
        const Verdict verdict = check(program);
        INFO(verdict.text);
        CHECK(verdict.exit_code == 1);
        CHECK(verdict.text.find(program.filename().string() + ": 1 mistake.") != std::string::npos);
        REQUIRE_FALSE(expected(program).empty());
        check_words(program, verdict);
    }
}

TEST_CASE("check finds a local variable that is never set, even if warnings are errors") {
    const fs::path folder = fs::absolute(__FILE__).parent_path() / "mistakes";
    const fs::path program = folder / "local_array_not_set.cu";
    const Verdict verdict =
        told(folder, "../../cuda-on-cpu check -Wall -Werror all-warnings local_array_not_set.cu");
    INFO(verdict.text);
    CHECK(verdict.exit_code == 1);
    check_words(program, verdict);
}

TEST_CASE("check sees memset of pinned memory if _FORTIFY_SOURCE replaces the function") {
    const fs::path folder = fs::absolute(__FILE__).parent_path() / "mistakes";
    const fs::path program = folder / "pinned_set_too_early.cu";
    const Verdict verdict =
        told(folder, "../../cuda-on-cpu check -D_FORTIFY_SOURCE=2 pinned_set_too_early.cu");
    INFO(verdict.text);
    CHECK(verdict.exit_code == 1);
    check_words(program, verdict);
}

TEST_CASE("check runs a program whose kernel never ends once, faster than with the shadow memory") {
    const fs::path folder = fs::temp_directory_path() / ("endless " + std::to_string(getpid()));
    const std::string tool =
        (fs::absolute(__FILE__).parent_path().parent_path() / "cuda-on-cpu").string();
    fs::create_directories(folder);
    std::ofstream(folder / "endless.cu") << R"(#include <cstdio>
#include <cstdlib>
__global__ void wait(volatile int* flag) {
    while (*flag == 0) {
    }
}
int main() {
    int* d_flag;
    cudaMalloc(&d_flag, sizeof(int));
    cudaMemset(d_flag, 0, sizeof(int));
    wait<<<1, 1>>>(d_flag);
    std::FILE* const runs = std::fopen("runs", "a");
    std::fprintf(runs, "%s %d;", std::getenv("CUDA_ON_CPU_TIMEOUT"), cudaDeviceSynchronize());
    std::fclose(runs);
    return 0;
}
)";
    const Verdict verdict = told(folder, "'" + tool + "' check endless.cu; cat runs");
    fs::remove_all(folder);
    INFO(verdict.text);
    CHECK(verdict.text.find("thread (0,0,0) has run for 10 s without returning") !=
          std::string::npos);
    CHECK(verdict.text.find("Remedy: does the loop end?") != std::string::npos);
    CHECK(verdict.text.find("10 702;") != std::string::npos);
    CHECK(verdict.text.rfind(" 702;") == verdict.text.find(" 702;"));
}

TEST_CASE("check shows what a program prints that ends with another exit code, and nothing else") {
    const fs::path folder = fs::temp_directory_path() / ("ending " + std::to_string(getpid()));
    const std::string tool =
        (fs::absolute(__FILE__).parent_path().parent_path() / "cuda-on-cpu").string();
    fs::create_directories(folder);
    std::ofstream(folder / "ending.cu") << R"(#include <cstdio>
int main() {
    std::puts("to stdout");
    std::fputs("to stderr\n", stderr);
    return 3;
}
)";
    const Verdict verdict = told(folder, "'" + tool + "' check ending.cu");
    fs::remove_all(folder);
    INFO(verdict.text);
    const std::string end = "But it ends with exit code 3 and says: to stdout to stderr";
    CHECK(verdict.exit_code == 0);
    REQUIRE(verdict.text.size() > end.size());
    CHECK(verdict.text.substr(verdict.text.size() - end.size()) == end);
}

TEST_CASE("a buffer with room for more results, and a sum of 0, are no mistakes") {
    const fs::path folder = fs::temp_directory_path() / ("room " + std::to_string(getpid()));
    const std::string tool =
        (fs::absolute(__FILE__).parent_path().parent_path() / "cuda-on-cpu").string();
    fs::create_directories(folder);
    std::ofstream(folder / "room.cu") << R"(
__global__ void write(int* out) { out[threadIdx.x] = 1; }
__global__ void add_zero(int* sum) { *sum += 0; }
int main() {
    static int results[1000];
    int* d_results;
    cudaMalloc(&d_results, sizeof results);
    write<<<1, 10>>>(d_results);
    cudaMemcpy(results, d_results, sizeof results, cudaMemcpyDeviceToHost);
    cudaFree(d_results);
    int *d_sum, sum;
    cudaMalloc(&d_sum, sizeof sum);
    cudaMemset(d_sum, 0, sizeof sum);  // no kernel has written it
    cudaMemcpy(&sum, d_sum, sizeof sum, cudaMemcpyDeviceToHost);
    add_zero<<<6548, 1>>>(d_sum);  // -655947 times 6548 is -173660 in 32 bits
    cudaMemcpy(&sum, d_sum, sizeof sum, cudaMemcpyDeviceToHost);
    cudaFree(d_sum);
    return results[9] - 1;
}
)";
    const Verdict verdict = told(folder, "'" + tool + "' room.cu -o room && ./room");
    fs::remove_all(folder);
    INFO(verdict.text);
    CHECK(verdict.exit_code == 0);
    CHECK(verdict.text.find("CUDA on the CPU") == std::string::npos);
}

TEST_CASE("check finds nothing in a correct program") {
    for (const fs::path& program : programs_in("correct")) {
        const Verdict verdict = check(program);
        INFO(verdict.text);
        CHECK(verdict.exit_code == 0);
        CHECK(verdict.text.find(": nothing found") != std::string::npos);
        check_words(program, verdict);
    }
}

TEST_CASE("even without check, a program reports hidden mistakes when it ends") {
    const struct {
        const char *program, *words;
    } silent[] = {
        {"not_copied_back", "what kernel twice, launched at not_copied_back.cu:"},
        {"error_not_looked_at",
         "cudaErrorMemoryAllocation (out of memory), and the program did not check it"},
        {"pointers_swapped", "the two pointers are swapped"},
        {"nobody_waits", "never ran"},
        {"grid_rounded_down",
         "the last 928 bytes are as in memory that was never written. `cuda-on-cpu check`"},
        {"comma_in_dim3", "dim3 block = (16, 16) at comma_in_dim3.cu:"},
        {"comma_in_launch", "in <<< >>>, (16, 16) at comma_in_launch.cu:"},
        {"stream_not_waited_for", "but kernel twice, launched at stream_not_waited_for.cu:"},
        {"managed_read_too_early",
         "the host reads managed memory of 4000 bytes, at managed_read_too_early.cu:22, before "
         "kernel twice, launched at managed_read_too_early.cu:21, has run."},
        {"pinned_read_too_early",
         "the host reads pinned memory of 4000 bytes, at pinned_read_too_early.cu:27, before the "
         "copy at pinned_read_too_early.cu:26 has run."},
        {"counter_not_set", "brings the int -654947 to the host"},
        {"shared_sum_not_set", "brings the int -2622788 to the host"},
        {"results_compared", "what kernel twice, launched at results_compared.cu:"},
        {"free_of_device_memory", "Only cudaFree frees it"},
        {"columns_not_covered", "and the last 16 bytes of each of its 50 rows are as in memory"},
        {"pitched_copied_plain", "but the rows of this device memory are 512 bytes apart"},
        {"rows_without_pitch", "and the last row is as in memory that was never written."},
        {"copy_to_static_array_too_early",
         "but kernel fill, launched at copy_to_static_array_too_early.cu:"},
        {"copy_of_older_values", "writes before that has run, and nothing reads it later"},
        {"launch_forgotten", "Launch it: fill<<<blocks, threads>>>(...)."},
        {"free_of_pinned_memory", "Only cudaFreeHost frees it"},
        {"host_array_too_small", "past the end of host memory of 1000 bytes, at host_array"},
        {"pinned_set_too_early",
         "the host writes pinned memory of 4000 bytes, at pinned_set_too_early.cu:25, before the "
         "copy at pinned_set_too_early.cu:24 has run."},
        {"virtual_table_of_host",
         "calls a virtual function of an object that the host has made, at virtual_table_of_host"},
    };
    for (const auto& [program, words] : silent) {
        const fs::path file = fs::absolute(__FILE__).parent_path() / "mistakes" / program;
        const fs::path built =
            fs::temp_directory_path() / std::string(program).append(std::to_string(getpid()));
        const std::string text =
            told(file.parent_path(), "../../cuda-on-cpu " + file.filename().string() + ".cu -o '" +
                                         built.string() + "' && '" + built.string() + "'")
                .text;
        fs::remove(built);
        INFO(text);
        CHECK(text.find(words) != std::string::npos);
    }
}
