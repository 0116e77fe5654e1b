// SPDX-License-Identifier: MIT
// A lab: its variants, what they compute, and what runs them.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "common/convolution/reference.hpp"
#include "common/variant/backend.hpp"
#include "common/variant/convolver.hpp"

namespace convolab {

/// What the variants of a lab compute, and what a result is checked against. The default is the
/// convolution of one image; video labs bring their own, of two frames.
struct Operation {
    int frames = 1;          ///< 2: the previous frame and the current one
    bool has_filter = true;  ///< false: the job's filter and border mean nothing
    bool has_border = true;  ///< false: the edge is repeated (replicate)
    /// The names that --filter takes, of sides 3, 5, 7, 9; empty: all convolutions, and typed taps.
    std::vector<std::string> filters = {};
    std::function<Image(const Job&)> reference = [](const Job& job) {
        return reference_convolution(job);
    };
    std::function<double(const Job&)> allowed_difference = convolab::allowed_difference;
    /// Compulsory traffic in bytes: each input sample read once, each output sample written once.
    std::function<std::int64_t(const Job&)> bytes;
    /// Arithmetic operations: 2 K^2 per output sample.
    std::function<std::int64_t(const Job&)> operations;

    Operation();
};

/// A command that only one lab has.
struct LabCommand {
    std::string name;
    std::string meaning;  ///< one line for --help
    /// argv[0] is the command's name. Gives the exit code; may throw.
    std::function<int(int argc, char** argv)> run;
};

struct Lab {
    std::string name;                      ///< the folder's: "01_sequential"
    std::vector<const Variant*> variants;  ///< in reading order
    Backend* backend;                      ///< what its variants run on
    Operation operation = {};
    const Variant* best = nullptr;  ///< what `run` takes where none is named; nullptr: the last
    std::vector<LabCommand> commands = {};

    Backend& backend_of(const Variant& variant) const {
        return variant.backend != nullptr ? *variant.backend : *backend;
    }
    const Operation& operation_of(const Variant& variant) const {
        return variant.operation != nullptr ? *variant.operation : operation;
    }
    const Variant& best_variant() const { return best != nullptr ? *best : *variants.back(); }
};

}  // namespace convolab
