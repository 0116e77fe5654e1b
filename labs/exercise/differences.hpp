// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "labs/exercise/exercise.hpp"

namespace convolab::exercise {

/// "" where out is `expected`; else sentences. `before` is what `out` held before the call.
std::string differences(const Input& in, const Values& before, const Values& out,
                        const Values& expected);

}  // namespace convolab::exercise
