// SPDX-License-Identifier: MIT
// Rank 0 runs the driver and sends commands. The other ranks are its workers: they wait for a
// command and execute it. Ranks that a job does not need sleep.
#pragma once

#include <mpi.h>

#include <cstdint>
#include <string>

#include "labs/11_mpi/ranks/local_work.hpp"

namespace convolab::mpi {

/// A command of rank 0: make an object, call one of its functions, remove it, or end.
enum class RankCommand : std::int64_t { make, distribute, run, collect, poison, remove, end };

/// MPI from MPI_Init to MPI_Finalize.
class MpiEnvironment {
  public:
    MpiEnvironment(int* argc, char*** argv);
    ~MpiEnvironment();
    MpiEnvironment(const MpiEnvironment&) = delete;
    MpiEnvironment& operator=(const MpiEnvironment&) = delete;

    int rank() const { return rank_; }
    /// Ranks other than 0: executes rank 0's commands, up to RankCommand::end.
    void work();
    /// Rank 0: the others end.
    void end_workers();

  private:
    int rank_ = 0;
};

/// A job on all of its ranks: rank 0 owns this object, and each call does the same on every rank.
class DistributedWork {
  public:
    /// Throws Skipped if fewer ranks have been started than the job asks for.
    DistributedWork(const std::string& variant, const RankJob& job);
    ~DistributedWork();
    DistributedWork(const DistributedWork&) = delete;
    DistributedWork& operator=(const DistributedWork&) = delete;

    void distribute(const Image& picture);
    RunTimes run();
    void collect(Image& result);
    void poison();

  private:
    void tell_ranks(RankCommand command) const;

    int ranks_;
    std::int64_t id_;
};

}  // namespace convolab::mpi
