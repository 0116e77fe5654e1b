// Copyright (c) 2026 The Convolab authors
// SPDX-License-Identifier: MIT
//
// The order of a measurement. In each round every configuration has one turn, in an order that is
// shuffled anew, so that a slow minute of the machine hits all of them alike.
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

/// Of one configuration.
struct TurnCounts {
    int repeated = 0;   ///< disturbed turns that were taken again
    int disturbed = 0;  ///< turns that count although they were disturbed
};

/// Takes all turns. turn(configuration, round) says whether it was disturbed; what it measured then
/// stands until the turn is taken again, at the end of the same round. A configuration repeats one
/// turn in five at most. Ends early where stop() says so.
std::vector<TurnCounts> take_turns(std::size_t configurations, int rounds, std::uint64_t seed,
                                   const std::function<bool(std::size_t, int)>& turn,
                                   const std::function<bool()>& stop);

}  // namespace convolab
