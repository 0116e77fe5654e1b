// Copyright (c) 2026 The Convolab authors
// SPDX-License-Identifier: MIT
//
// What verify found: a count for each variant, filter and border; the table and the rows made of
// them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <map>
#include <string>
#include <vector>

#include "common/convolution/filter.hpp"
#include "common/measurement/csv.hpp"
#include "common/variant/lab.hpp"

namespace convolab {

/// A variant that has failed so often is left out of the jobs that follow.
inline constexpr int kEnoughFailures = 10;

/// Of one variant with one filter and border, over all pictures and settings.
struct Tally {
    std::int64_t jobs = 0;
    std::int64_t samples = 0;
    std::int64_t different = 0;
    std::int64_t failed = 0;
    std::int64_t unsupported = 0;
    std::int64_t without_library = 0;                    ///< of these
    std::int64_t largest_width = 0, largest_height = 0;  ///< of the pictures found identical
    std::string refusal;                                 ///< why a job was refused
    std::map<std::string, std::int64_t> refusals;        ///< each such sentence, and of how many
    /// Of the failure that is first in the plan, on the smallest picture.
    std::size_t first = std::numeric_limits<std::size_t>::max();
    std::string failure;
    std::string repeat;  ///< the command that shows it again

    void operator+=(const Tally& other);
    void refuse(const std::string& why);
};

class Tallies {
  public:
    Tallies(const Lab& lab, std::vector<const Variant*> variants, std::vector<Filter> filters);

    /// By their places in the lists, and in all_borders().
    Tally& at(std::size_t variant, std::size_t filter, std::size_t border);

    /// One for each variant, filter and border that was tried, with verify_columns().
    std::vector<Row> rows();
    /// On the terminal. How many variants failed, or were compared with nothing; one that lacks a
    /// library does not count where others were compared.
    int print_table();

  private:
    Tally sum(std::size_t variant);
    /// Why jobs were refused: sentences that differ only in numbers and names are one, with an
    /// example.
    void print_refusals();

    const Lab& lab_;
    std::vector<const Variant*> variants_;
    std::vector<Filter> filters_;
    std::vector<Tally> tallies_;
};

}  // namespace convolab
