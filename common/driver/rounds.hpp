// SPDX-License-Identifier: MIT
// The rounds of bench, in which all configurations of a size take turns.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

namespace convolab {

/// The numbers 0 .. n - 1 in the order of a round; the same for the same seed on every machine.
std::vector<std::size_t> shuffled(std::size_t n, std::uint64_t seed, int round);

/// The timed runs that a round has: all rounds together have `iterations`, and no two rounds differ
/// by more than one.
int runs_of_round(int iterations, int rounds, int round);

/// At most 10, and at least 5 runs in each where there are as many.
int default_rounds(int iterations);

/// Calls turn(configuration, round) once for each configuration in each round. Ends early if stop()
/// returns true.
void take_turns(std::size_t configurations, int rounds, std::uint64_t seed,
                const std::function<void(std::size_t, int)>& turn,
                const std::function<bool()>& stop);

}  // namespace convolab
