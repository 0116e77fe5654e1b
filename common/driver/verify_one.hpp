// Copyright (c) 2026 The Convolab authors
// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <map>
#include <mutex>
#include <set>
#include <string>

#include "common/driver/check.hpp"
#include "common/driver/options.hpp"
#include "common/driver/verify_tally.hpp"
#include "common/variant/lab.hpp"

namespace convolab {

/// One comparison of verify: runs a variant and returns the result. Threads may call it at the
/// same time.
class VerifyOne {
  public:
    VerifyOne(const Lab& lab, const Options& options) : lab_(lab), options_(options) {}

    /// picture: as option --image of `lab run` takes it. number: of the case in the plan.
    Tally compare(const Variant& variant, const Job& job, const std::string& picture,
                  const Expected& expected, std::size_t number);

    /// What is counted where the job has failed, in words for the table.
    Tally failure(const Variant& variant, const Job& job, const std::string& picture,
                  const std::string& how, std::size_t number) const;

    /// Whether the machine has the memory for a picture and its reference; says so where it has
    /// not.
    bool fits(const Size& size, PixelType type, int channels);

  private:
    void say_once(const std::string& sentence);
    void draw_failure(const Variant& variant, const Job& job, const Image& result,
                      const Image& expected);

    const Lab& lab_;
    const Options& options_;
    std::mutex mutex_;
    std::map<std::string, int> drawn_;
    std::set<std::string> said_;
};

}  // namespace convolab
