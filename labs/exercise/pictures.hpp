// SPDX-License-Identifier: MIT
// The pictures that an answer gets, drawn from a seed: both programs draw the same.
#pragma once

#include <string>
#include <vector>

#include "labs/exercise/exercise.hpp"

namespace convolab::exercise {

enum class Kind { random, impulse, all_change };

struct Drawn {
    int turn;
    Size size;
    unsigned seed;
    Kind kind = Kind::random;
};

std::vector<Drawn> pictures_for(const Exercise& exercise, const std::string& mode, unsigned seed);

/// With no samples yet.
Input blank(const Exercise& exercise, const Drawn& drawn);
Input input_of(const Exercise& exercise, const Drawn& drawn);

/// What an output holds before the call.
Values garbage_for(const Exercise& exercise, const Drawn& drawn);

}  // namespace convolab::exercise
