// SPDX-License-Identifier: MIT
#pragma once

#include <optional>

#include "common/variant/lab.hpp"

namespace convolab {

/// The reference's output of a job; computed once, for all variants.
struct Expected {
    Expected() = default;
    Expected(const Operation& operation, const Job& job);

    std::optional<Image> image;  ///< none: the reference does not support it
    double allowed = 0;          ///< difference of a sample
};

/// Throws Error if the variant accepts a job that the reference does not support.
Comparison compare(const Image& result, const Expected& expected);

}  // namespace convolab
