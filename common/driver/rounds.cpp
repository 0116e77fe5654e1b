// SPDX-License-Identifier: MIT
#include "common/driver/rounds.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

#include "common/base/random_bits.hpp"

namespace convolab {

std::vector<std::size_t> shuffled(std::size_t n, std::uint64_t seed, int round) {
    std::vector<std::size_t> order(n);
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::uint64_t counter = random_bits(seed + kRandomStep) + static_cast<std::uint64_t>(round);
    counter = random_bits(counter);  // rounds that follow each other have nothing in common
    for (std::size_t left = n; left > 1; --left)
        std::swap(order[left - 1], order[random_bits(counter += kRandomStep) % left]);
    return order;
}

int runs_of_round(int iterations, int rounds, int round) {
    const auto first = [&](std::int64_t r) { return static_cast<int>(r * iterations / rounds); };
    return first(round + 1) - first(round);
}

int default_rounds(int iterations) { return std::clamp(iterations / 5, 1, 10); }

void take_turns(std::size_t configurations, int rounds, std::uint64_t seed,
                const std::function<void(std::size_t, int)>& turn,
                const std::function<bool()>& stop) {
    for (int round = 0; round < rounds; ++round)
        for (const std::size_t configuration : shuffled(configurations, seed, round)) {
            if (stop()) return;
            turn(configuration, round);
        }
}

}  // namespace convolab
