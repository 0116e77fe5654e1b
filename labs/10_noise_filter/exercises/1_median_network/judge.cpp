// Copyright (c) 2026 The Convolab authors
// SPDX-License-Identifier: MIT
#include "common/exercise/judge.hpp"

#include <array>
#include <bit>

using namespace convolab::exercise;

std::vector<std::array<int, 2>> median_network();

static std::size_t comparisons = 0;

/// Zeros and ones: a network that is right for all patterns of them is right for all values.
static void prove(const std::vector<std::array<int, 2>>& network) {
    for (const auto& [a, b] : network)
        if (std::min(a, b) < 0 || std::max(a, b) > 8 || a == b) {
            say("wrong: {" + std::to_string(a) + ", " + std::to_string(b) +
                "} are not two places of 0 to 8.");
            std::exit(1);
        }
    for (unsigned pattern = 0; pattern < 512; ++pattern) {
        std::array<int, 9> values;
        for (int i = 0; i < 9; ++i) values[i] = pattern >> i & 1;
        const std::array<int, 9> before = values;
        for (const auto& [a, b] : network)
            if (values[a] > values[b]) std::swap(values[a], values[b]);
        const int median = std::popcount(pattern) >= 5;
        if (values[4] == median) continue;
        std::string text = "wrong: of the values";
        for (const int value : before) text += ' ' + std::to_string(value);
        say(text + " the median is " + std::to_string(median) + "; place 4 has " +
            std::to_string(values[4]) + '.');
        std::exit(1);
    }
}

/// The picture is not used; the output is how many patterns are right.
static void answer(const Input&, std::vector<int>& out, Stopwatch&) {
    const std::vector<std::array<int, 2>> network = median_network();
    prove(network);
    comparisons = network.size();
    out[0] = 512;
}

static void expected(const Input&, std::vector<int>& out) { out[0] = 512; }

int main(int argc, char** argv) {
    return judge<int>(argc, argv,
                      {.answer = answer,
                       .expected = expected,
                       .sizes = {{3, 2}, {3, 2}},
                       .out_values = [](const Input&) { return 1; },
                       .counts = {{"median_network", "comparisons", 20}},
                       .counted = [](const CountGoal&) { return double(comparisons); }});
}
