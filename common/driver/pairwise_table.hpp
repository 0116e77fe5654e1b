// Copyright (c) 2026 The Convolab authors
// SPDX-License-Identifier: MIT
//
// Sizes and launches for the cases of verify, so that all pairs are met in few cases.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <tuple>
#include <utility>
#include <vector>

#include "common/base/random_bits.hpp"

namespace convolab {

/// Which size, and which launch, a filter and a border get in a storage: the size that makes most
/// pairs with them that the storage has not met; then those that no storage has met, with the side
/// of the filter too; then those met least. The same for the launch. A seed decides between equals.
class PairwiseTable {
  public:
    explicit PairwiseTable(std::size_t sizes) : sizes_(sizes) {}

    void begin_storage() { met_here_.clear(); }
    /// The place of a size, and the number of a launch.
    std::pair<std::size_t, std::size_t> next(std::size_t filter, int ksize, std::size_t border) {
        const auto side = static_cast<std::size_t>(ksize);
        const std::size_t size = choose(sizes_, [&](std::size_t s) {
            return Groups{{0, filter, s}, {1, border, s}, {2, side, border, s}};
        });
        const std::size_t launch = choose(4 * 7, [&](std::size_t l) {  // of 1, 4 or 7 settings
            return Groups{{3, filter, l % 4}, {4, border, l % 4}, {5, size, l % 4},
                          {6, filter, l % 7}, {7, border, l % 7}, {8, size, l % 7}};
        });
        return {size, launch};
    }

  private:
    using Groups = std::vector<std::array<std::size_t, 4>>;

    /// A filter has the fewest cases, so its pairs come first.
    static bool is_of_filter(const Groups::value_type& group) {
        return group[0] == 0 || group[0] == 3 || group[0] == 6;
    }

    template <class GroupsOf>
    std::size_t choose(std::size_t n, const GroupsOf& groups_of) {
        std::tuple<int, int, int, std::uint64_t> best{-1, 0, 0, 0};
        std::size_t chosen = 0;
        for (std::size_t i = 0; i < n; ++i) {
            int new_here = 0, new_ever = 0, met = 0;
            for (const auto& group : groups_of(i)) {
                if (met_here_[group] == 0) new_here += is_of_filter(group) ? 2 : 1;
                new_ever += met_ever_[group] == 0;
                met += met_here_[group];
            }
            seed_ = random_bits(seed_ + kRandomStep);
            const std::tuple here{new_here, new_ever, -met, seed_};
            if (here <= best) continue;
            best = here;
            chosen = i;
        }
        for (const auto& group : groups_of(chosen)) {
            ++met_here_[group];
            ++met_ever_[group];
        }
        return chosen;
    }

    std::size_t sizes_;
    std::uint64_t seed_ = 1;
    std::map<std::array<std::size_t, 4>, int> met_here_, met_ever_;
};

}  // namespace convolab
