// SPDX-License-Identifier: MIT
#pragma once

#include <utility>
#include <vector>

#include "common/convolution/computation.hpp"
#include "common/variant/settings.hpp"

namespace convolab {

/// What a variant is bound to: what to compute, and how it is launched.
struct Job : Computation {
    Job(std::vector<const Image*> frames, Filter filter, Border border, Settings settings)
        : Computation{std::move(frames), std::move(filter), border}, settings(settings) {}

    Settings settings;
    bool cold = false;  ///< each run begins with empty caches: it should read no picture twice
};

}  // namespace convolab
