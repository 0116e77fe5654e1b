// SPDX-License-Identifier: MIT
// What variants with bands of rows share. Rank r of n has the rows H r / n to H (r + 1) / n - 1, so
// bands differ by one row at most. Each keeps its band from one pass to the next.
#pragma once

#include "labs/11_mpi/ranks/datatype.hpp"
#include "labs/11_mpi/ranks/part.hpp"
#include "labs/11_mpi/ranks/rank_work.hpp"

namespace convolab::mpi {

/// The bands of all ranks.
std::vector<Rectangle> bands(const RankJob& job);

class BandWork : public RankWork {
  public:
    /// halo: rows from each neighbour.
    BandWork(const RankJob& job, std::int64_t halo);

    void distribute(const Image* picture) override { part_.distribute(picture); }
    void collect(Image* result) override { part_.collect(result); }
    void poison() override { part_.poison(); }

  protected:
    /// Tags of messages: rows that move to the next band, up or down.
    enum : int { kUp = 10, kDown = 11 };

    /// All four messages of a pass are on their way: `rows` rows to and from each neighbour.
    void start_exchange(int pass, std::int64_t rows, MPI_Request (&requests)[4]);

    RankJob job_;
    int above_, below_;  ///< ranks, or MPI_PROC_NULL at the picture's edge: nothing is sent there
    Part part_;
    RectangleType row_;  ///< messages count in rows
};

}  // namespace convolab::mpi
