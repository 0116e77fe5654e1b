// SPDX-License-Identifier: MIT
// cuda-on-cpu count: what requests cost, how loops are found, and the programs in count/, whose
// requests are known.
#include <sys/wait.h>

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>
#include <string>

#include "../count/loops.hpp"
#include "../count/request.hpp"
#include "catch.hpp"

namespace {

namespace fs = std::filesystem;
using namespace cuda_on_cpu::count;

// A request of all lanes, `stride` bytes apart.
Request request(std::uint32_t bytes, std::uint64_t stride, std::uint64_t begin = 0) {
    Request result;
    result.lanes = 0xffffffffU;
    result.bytes = bytes;
    for (unsigned lane = 0; lane < 32; ++lane) result.address[lane] = begin + stride * lane;
    return result;
}

struct Run {
    int exit_code;
    std::string output;
};

// Runs count in the folder of the programs.
Run count(const std::string& arguments) {
    const fs::path tests = fs::absolute(__FILE__).parent_path();
    const std::string line = "cd '" + (tests / "count").string() +
                             "' && CXX=g++ ../../cuda-on-cpu count " + arguments +
                             " 2>&1 < /dev/null";
    std::FILE* const pipe = popen(line.c_str(), "r");
    Run run{0, {}};
    char part[4096];
    for (std::size_t n; (n = fread(part, 1, sizeof part, pipe)) > 0;) run.output.append(part, n);
    run.exit_code = WEXITSTATUS(pclose(pipe));
    return run;
}

std::string contents(const fs::path& path) {
    std::ifstream file(path);
    std::ostringstream text;
    text << file.rdbuf();
    return text.str();
}

// Maps kernel, line and figure to "4 exact".
using Figures = std::map<std::string, std::string>;
Figures read_csv(const fs::path& path) {
    Figures figures;
    std::ifstream file(path);
    std::string kernel, place, figure, value, how;
    std::getline(file, kernel);
    REQUIRE(kernel == "kernel,line,figure,value,how");
    while (std::getline(file, kernel, ',') && std::getline(file, place, ',') &&
           std::getline(file, figure, ',') && std::getline(file, value, ',') &&
           std::getline(file, how))
        figures[kernel + "," + place + "," + figure] = value + " " + how;
    return figures;
}

}  // namespace

TEST_CASE("Sectors are the distinct blocks of 32 bytes") {
    CHECK(sectors(request(1, 1)) == 1);
    CHECK(sectors(request(4, 4)) == 4);
    CHECK(sectors(request(4, 4, 4)) == 5);
    CHECK(sectors(request(4, 32)) == 32);
    CHECK(sectors(request(4, 0)) == 1);
    CHECK(sectors(request(16, 16)) == 16);
    CHECK(sectors(request(8, 32, 28)) == 33);  // each lane in two
    Request some = request(4, 4);
    some.lanes = 0x0000ffffU;
    CHECK(sectors(some) == 2);
    std::swap(some.address[0], some.address[15]);  // in any order
    CHECK(sectors(some) == 2);
}

TEST_CASE("Wavefronts are the words of the most requested bank") {
    const auto is = [](const Request& r, unsigned count, unsigned ideal) {
        return wavefronts(r).count == count && wavefronts(r).ideal == ideal;
    };
    CHECK(is(request(4, 4), 1, 1));
    CHECK(is(request(4, 8), 2, 1));
    CHECK(is(request(4, 128), 32, 1));
    CHECK(is(request(4, 132), 1, 1));
    CHECK(is(request(4, 0), 1, 1));
    CHECK(is(request(1, 1), 1, 1));
    CHECK(is(request(8, 8), 2, 2));
    CHECK(is(request(8, 16), 4, 2));
    CHECK(is(request(16, 16), 4, 4));
    CHECK(words(request(4, 4)) == 32);
    CHECK(words(request(4, 0)) == 1);
}

TEST_CASE("Loops are found whatever the order of their blocks in the code") {
    // Block 1 is before an outer loop, which begins with 9 and contains an inner loop of 5 and 3.
    // Block 2 follows both.
    Loops loops;
    const char code[10] = {};
    const auto walk = [&](const std::string& way) {
        cuda_on_cpu::count::BasicBlock* at = nullptr;
        for (const char c : way) {
            auto& next = loops.find(code + (c - '0'));
            loops.learn(at, next);
            at = &next;
        }
    };
    const auto rounds = [&](const std::string& way) {
        loops.begin_lane();
        for (std::size_t i = 1; i < way.size(); ++i)
            loops.go(loops.find(code + (way[i - 1] - '0')), loops.find(code + (way[i] - '0')));
        return loops.round_in(loops.find(code + (way.back() - '0')));
    };
    walk("1953535953592");
    loops.understand();
    CHECK(rounds("195353") != rounds("1953"));
    CHECK(rounds("19535953") == rounds("1953535953"));  // the inner one begins anew
    CHECK(rounds("195353592") == rounds("192"));        // after the loops no round is left
    CHECK(rounds("19535359") == rounds("1959"));        // the inner loop's length does not matter
}

TEST_CASE("count knows what kernels ask of memory") {
    const fs::path csv = fs::temp_directory_path() / "count_test.csv";
    const Run run = count("--csv " + csv.string() + " patterns.cu");
    INFO(run.output);
    REQUIRE(run.exit_code == 0);
    CHECK(run.output.find("\nexact: a GPU does the same. model: ") != std::string::npos);
    Figures of = read_csv(csv);
    fs::remove(csv);
    CHECK(of["stride_1_byte,,sectors per request"] == "1 exact");
    CHECK(of["stride_4_bytes,,sectors per request"] == "4 exact");
    CHECK(of["stride_4_bytes,,bytes asked"] == "256 exact");
    CHECK(of["stride_4_bytes,,bytes moved"] == "256 exact");
    CHECK(of["stride_4_bytes,patterns.cu:8,global load requests"] == "1 exact");
    CHECK(of["stride_32_bytes,,sectors per request"] == "32 exact");
    CHECK(of["stride_32_bytes,,bytes moved"] == "2048 exact");
    CHECK(of["misaligned,,sectors per request"] == "5 exact");
    CHECK(of["struct_of_16_bytes,,sectors per request"] == "16 exact");
    CHECK(of["struct_of_16_bytes,,global requests"] == "2 exact");
    CHECK(of["broadcast,,global load sectors"] == "1 exact");
    CHECK(of["shared_1,,bank conflicts"] == "0 exact");
    CHECK(of["shared_2,,bank conflicts"] == "2 exact");
    CHECK(of["shared_32,,bank conflicts per request"] == "31 exact");
    CHECK(of["shared_33,,bank conflicts"] == "0 exact");
    CHECK(of["shared_broadcast,,bank conflicts"] == "0 exact");
    CHECK(of["shared_1,,barriers"] == "1 exact");
    CHECK(of["half_warp,,active lanes per request"] == "16 exact");
    CHECK(of["half_warp,,divergent requests"] == "2 exact");
    CHECK(of["half_warp,,global load sectors"] == "2 exact");
    CHECK(of["rounds,,global load requests"] == "4 model");
    CHECK(of["rounds,,global store requests"] == "1 exact");
    CHECK(of["test_in_loop,,global load requests"] == "4 model");
    CHECK(of["half_shuffle,,global load requests"] == "1 exact");
    CHECK(of["half_shuffle,,global store requests"] == "1 exact");
    CHECK(of["structs_of_12_bytes,,global load requests"] == "12 model");
    CHECK(of["structs_of_12_bytes,,sectors per request"] == "6 model");
    CHECK(of["counters,,atomics"] == "264 exact");
    CHECK(of["counters,,global atomics"] == "8 exact");
    CHECK(of["counters,,barriers"] == "8 exact");
    CHECK(of["constants,,constant requests"] == "2 exact");
    CHECK(of["constants,,words per constant request"] == "16.5 exact");
    CHECK(of["many_rounds,,global load requests"] == "4000 exact");
}

TEST_CASE("count draws the same page in each run, without a request to anywhere") {
    const fs::path page = fs::temp_directory_path() / "count_test.html";
    std::string pages[2];
    for (std::string& text : pages) {
        const Run run = count("--picture " + page.string() + " patterns.cu");
        INFO(run.output);
        REQUIRE(run.exit_code == 0);
        text = contents(page);
    }
    fs::remove(page);
    CHECK(pages[0] == pages[1]);
    CHECK(pages[0].find("<svg") != std::string::npos);
    CHECK(pages[0].find(">1 global load: 4.00 sectors; 1 global store: 4.00 sectors<") !=
          std::string::npos);
    CHECK(pages[0].find("A cell is 4 bytes, with the first thread that touches them") !=
          std::string::npos);
    CHECK(pages[0].find("Sectors of a request are best as few as") != std::string::npos);
    CHECK(pages[0].find("src=") == std::string::npos);
    CHECK(pages[0].find("href=") == std::string::npos);
}

TEST_CASE("count says what it cannot do") {
    CHECK(count("patterns.cu -o program").exit_code == 2);
    CHECK(count("--csv").exit_code == 2);
    CHECK(count("--picture count.png patterns.cu").exit_code == 2);
    const fs::path program = fs::temp_directory_path() / "count_test_without_kernel.cu";
    std::ofstream(program) << "int main() {}\n";
    CHECK(count(program.string()).output == "\nNo kernel that touches memory has run.\n");
    fs::remove(program);
    const Run run = count("--csv /nowhere/count.csv patterns.cu");
    CHECK(run.exit_code == 1);
    CHECK(run.output.find("cannot write /nowhere/count.csv") != std::string::npos);
}
