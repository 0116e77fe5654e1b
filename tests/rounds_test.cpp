// SPDX-License-Identifier: MIT
// The order of the turns.
#include "common/driver/rounds.hpp"

#include <algorithm>
#include <numeric>
#include <set>

#include "tests/catch.hpp"

using namespace convolab;

namespace {

bool never() { return false; }

}  // namespace

TEST_CASE("a shuffled round has every configuration once, in its own order") {
    std::set<std::vector<std::size_t>> orders;
    for (int round = 0; round < 10; ++round) {
        std::vector<std::size_t> order = shuffled(8, 7, round);
        CHECK(order == shuffled(8, 7, round));
        CHECK(order != shuffled(8, 8, round));
        orders.insert(order);
        std::sort(order.begin(), order.end());
        std::vector<std::size_t> all(8);
        std::iota(all.begin(), all.end(), std::size_t{0});
        CHECK(order == all);
    }
    CHECK(orders.size() == 10);
    CHECK(shuffled(0, 1, 0).empty());
}

TEST_CASE("every configuration gets every place in a round about equally often") {
    constexpr int kRounds = 6000;
    int times[6][6] = {};
    for (int round = 0; round < kRounds; ++round) {
        const auto order = shuffled(6, 1, round);
        for (std::size_t place = 0; place < 6; ++place) ++times[order[place]][place];
    }
    for (const auto& configuration : times)
        for (const int count : configuration) {  // expected 1000, standard deviation 29
            CHECK(count > 850);
            CHECK(count < 1150);
        }
}

TEST_CASE("the rounds have the iterations between them") {
    for (const auto& [iterations, rounds] :
         std::vector<std::pair<int, int>>{{100, 10}, {7, 3}, {5, 5}, {1, 1}, {1000000, 7}}) {
        int sum = 0, least = iterations, most = 0;
        for (int round = 0; round < rounds; ++round) {
            const int runs = runs_of_round(iterations, rounds, round);
            sum += runs;
            least = std::min(least, runs);
            most = std::max(most, runs);
        }
        CHECK(sum == iterations);
        CHECK(most - least <= 1);
    }
    CHECK(default_rounds(100) == 10);
    CHECK(default_rounds(20) == 4);
    CHECK(default_rounds(4) == 1);
    CHECK(default_rounds(1000000) == 10);
}

TEST_CASE("each configuration has one turn in each round") {
    std::vector<std::vector<int>> rounds_of(3);
    std::vector<int> order;
    const auto turn = [&](std::size_t configuration, int round) {
        rounds_of[configuration].push_back(round);
        order.push_back(round);
    };
    take_turns(3, 4, 1, turn, never);
    for (const auto& rounds : rounds_of) CHECK(rounds == std::vector<int>{0, 1, 2, 3});
    CHECK(std::is_sorted(order.begin(), order.end()));
}

TEST_CASE("turns end where they are stopped") {
    int turns = 0;
    take_turns(
        5, 10, 1, [&](std::size_t, int) { ++turns; }, [&] { return turns == 7; });
    CHECK(turns == 7);
}
