// SPDX-License-Identifier: MIT
// Reads of memory that was never written.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "device/mistakes/observer.hpp"
#include "shadow.hpp"

namespace cuda_on_cpu::check {

class Unwritten {
  public:
    void read(const Cell& cell, const Use& now, const Access& access, const Region& region) {
        const bool is_written = region.kind == Region::Kind::shared
                                    ? cell.write.block == now.block
                                    : cell.write.block != Use::nobody;
        if (!is_written) add(now, access, region);
    }
    void forget() {
        found_.clear();
        known_.clear();
    }
    /// The messages of all reads since the last call, except those at the lines `but`.
    std::vector<std::string> take(const Launch& launch, const std::set<std::string>& but);

  private:
    struct Read {
        Use use;
        uint3 block;
        Access access;
        const Region* region;
    };
    void add(const Use& now, const Access& access, const Region& region) {
        if (known_.insert(now.code).second) found_.push_back({now, blockIdx, access, &region});
    }
    std::vector<Read> found_;        // of each place in the program the first
    std::set<std::uint32_t> known_;  // those places, and of earlier launches
};

}  // namespace cuda_on_cpu::check
