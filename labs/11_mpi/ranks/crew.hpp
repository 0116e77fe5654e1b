// Copyright (c) 2026 The Convolab authors
// SPDX-License-Identifier: MIT
//
// The ranks at work. Rank 0 runs the driver and says what is to be done next; the others wait for
// its word and do it. Ranks that a job does not need sleep.
#pragma once

#include <mpi.h>

#include <cstdint>
#include <string>

#include "labs/11_mpi/ranks/members.hpp"

namespace convolab::mpi {

/// What rank 0 says: make an object, call one of its functions, remove it, or end.
enum class Order : std::int64_t { make, distribute, run, collect, poison, remove, end };

/// MPI from MPI_Init to MPI_Finalize.
class Crew {
  public:
    Crew(int* argc, char*** argv);
    ~Crew();
    Crew(const Crew&) = delete;
    Crew& operator=(const Crew&) = delete;

    int rank() const { return rank_; }
    /// Ranks other than 0: does what rank 0 says, up to Order::end.
    void serve();
    /// Rank 0: the others end.
    void dismiss();

  private:
    int rank_ = 0;
};

/// The objects of one job, one on each of its ranks; rank 0 owns this one, and its words reach the
/// others.
class Team {
  public:
    /// Throws Skipped where fewer ranks have been started than the job asks for.
    Team(const std::string& variant, const RankJob& job);
    ~Team();
    Team(const Team&) = delete;
    Team& operator=(const Team&) = delete;

    void distribute(const Image& picture);
    RunTimes run();
    void collect(Image& result);
    void poison();

  private:
    void say(Order order) const;

    int ranks_;
    std::int64_t id_;
};

}  // namespace convolab::mpi
