// SPDX-License-Identifier: MIT
// Tries the network on all 512 patterns of zeros and ones. Fails above 20 comparisons.
#include <array>
#include <bit>

#include "labs/exercise/exercise.hpp"

using namespace convolab::exercise;

std::vector<std::array<int, 2>> median_network();

using Network = std::vector<std::array<int, 2>>;

/// Zeros and ones: a network that is right for all patterns of them is right for all values.
static std::string wrong_in(const Network& network) {
    for (const auto& [a, b] : network)
        if (std::min(a, b) < 0 || std::max(a, b) > 8 || a == b)
            return std::string("{") + std::to_string(a) + ", " + std::to_string(b) +
                   "} are not two places of 0 to 8.";
    for (unsigned pattern = 0; pattern < 512; ++pattern) {
        std::array<int, 9> values;
        for (int i = 0; i < 9; ++i) values[i] = pattern >> i & 1;
        const std::array<int, 9> before = values;
        for (const auto& [a, b] : network)
            if (values[a] > values[b]) std::swap(values[a], values[b]);
        const int median = std::popcount(pattern) >= 5;
        if (values[4] == median) continue;
        std::string text = "of the values";
        for (const int value : before) text += ' ' + std::to_string(value);
        return text + " the median is " + std::to_string(median) + "; place 4 has " +
               std::to_string(values[4]) + '.';
    }
    return "";
}

constexpr std::size_t kMost = 1000;  // comparisons

/// The picture is not used; the output is their number, then two places for each.
static std::size_t comparisons = 0;

static void answer(const Input&, std::vector<int>& out) {
    const Network network = median_network();
    comparisons = network.size();
    out[0] = static_cast<int>(comparisons);
    for (std::size_t i = 0; i < std::min(network.size(), kMost); ++i)
        out[2 * i + 1] = network[i][0], out[2 * i + 2] = network[i][1];
}

static std::string wrong(const Input&, const Values& out) {
    if (out[0] > int(kMost)) return "the list has " + std::to_string(out[0]) + " comparisons.";
    Network network;
    for (int i = 0; i < out[0]; ++i) network.push_back({int(out[2 * i + 1]), int(out[2 * i + 2])});
    return wrong_in(network);
}

static double counted(const CountGoal&) { return double(comparisons); }

int main(int argc, char** argv) {
    return judge(argc, argv,
                 {.answer = answer,
                  .wrong = wrong,
                  .out_values = [](const Input&) { return 1 + 2 * kMost; },
                  .counts = {{"comparisons", 20}},
                  .counted = counted});
}
