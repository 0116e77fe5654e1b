// SPDX-License-Identifier: MIT
// A variant of this lab is a class that does the work of one rank. Every rank makes an object of
// it, and all ranks call the same functions at the same time. Rank 0 has the picture and gets the
// result; the driver, with options, files, checks and clocks, runs on rank 0 alone.
#pragma once

#include <memory>

#include "common/variant/lab.hpp"
#include "labs/11_mpi/ranks/clock.hpp"
#include "labs/11_mpi/ranks/rank_job.hpp"

namespace convolab::mpi {

class RankWork {
  public:
    virtual ~RankWork() = default;
    /// Brings the picture to where run() begins. On ranks other than 0 `picture` is nullptr. Not
    /// timed.
    virtual void distribute(const Image* picture) = 0;
    /// All passes. Timed, from the moment at which all ranks begin until all are done.
    virtual void run(RankClock& clock) = 0;
    /// The output into rank 0's `result`, which has the picture's size. Not timed.
    virtual void collect(Image* result) = 0;
    /// Overwrites what collect() would read.
    virtual void poison() = 0;
};

using MakeWork = std::unique_ptr<RankWork> (*)(const RankJob&);
using Require = void (*)(const RankJob&);

/// Completes `variant` and makes it known to all ranks. require: throws if the job cannot be done.
Variant rank_variant(Variant variant, MakeWork make, Require require);

/// Of a class with a constructor from RankJob and a static function require().
template <class Work>
Variant rank_variant(Variant variant) {
    const MakeWork make = [](const RankJob& job) -> std::unique_ptr<RankWork> {
        return std::make_unique<Work>(job);
    };
    return rank_variant(std::move(variant), make, Work::require);
}

}  // namespace convolab::mpi
