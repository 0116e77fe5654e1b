// SPDX-License-Identifier: MIT
// cuda-on-cpu count: what requests cost, and how loops are found.
#include <string>

#include "../count/loops.hpp"
#include "../count/request.hpp"
#include "catch.hpp"

namespace {

using namespace cuda_on_cpu::count;

// A request of all lanes, `stride` bytes apart.
Request request(std::uint32_t bytes, std::uint64_t stride, std::uint64_t begin = 0) {
    Request result;
    result.lanes = 0xffffffffU;
    result.bytes = bytes;
    for (unsigned lane = 0; lane < 32; ++lane) result.address[lane] = begin + stride * lane;
    return result;
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
