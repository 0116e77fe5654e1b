// Copyright (c) 2026 The Convolab authors
// SPDX-License-Identifier: MIT
//
// Which variants verify launches on a picture, how, and what that costs.
#pragma once

#include <map>
#include <utility>
#include <vector>

#include "common/driver/options.hpp"
#include "common/driver/verify_plan.hpp"
#include "common/variant/lab.hpp"

namespace convolab {

/// Variants by their places in Options::variants, and how each is launched.
using Launches = std::vector<std::pair<std::size_t, Settings>>;
/// The type and channels in which a scene is drawn, and the variants that take it so.
using Scenes = std::map<std::pair<PixelType, int>, Launches>;

class VerifyWork {
  public:
    VerifyWork(const Lab& lab, const Options& options, const VerifyPlan& plan)
        : lab_(lab), options_(options), plan_(plan) {}

    Launches launches(const VerifyCase& one) const;
    /// As bench times each variant, with all CPUs. An emulator takes minutes for all sizes: there
    /// every variant gets the smallest, and the first with over 2^24 samples, which a float does
    /// not count.
    Scenes scenes(const Size& size) const;

    /// In multiply-adds, of all variants together.
    double cost(const VerifyCase& one) const;
    double cost(const Size& size) const;

  private:
    const Lab& lab_;
    const Options& options_;
    const VerifyPlan& plan_;
};

}  // namespace convolab
