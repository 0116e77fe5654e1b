// SPDX-License-Identifier: MIT
#include "labs/11_mpi/ranks/band_work.hpp"

namespace convolab::mpi {
namespace {

/// The rank `step` bands below, or MPI_PROC_NULL. A single rank has no neighbour, because it owns
/// the rows that `wrap` puts beyond its edges.
int neighbour(const RankJob& job, int step) {
    const int next = job.rank + step;
    if (next >= 0 && next < job.ranks()) return next;
    return is_ring(job) && job.ranks() > 1 ? (next + job.ranks()) % job.ranks() : MPI_PROC_NULL;
}

std::int64_t depth(int neighbour, std::int64_t halo) {
    return neighbour == MPI_PROC_NULL ? 0 : halo;
}

}  // namespace

std::vector<Rectangle> bands(const RankJob& job) {
    std::vector<Rectangle> all;
    for (int rank = 0; rank < job.ranks(); ++rank) {
        const std::int64_t first = part_begin(job.height, rank, job.ranks());
        const std::int64_t end = part_begin(job.height, rank + 1, job.ranks());
        all.push_back({0, first, job.width, end - first});
    }
    return all;
}

BandWork::BandWork(const RankJob& job, std::int64_t halo)
    : job_(job),
      above_(neighbour(job, -1)),
      below_(neighbour(job, 1)),
      part_(job, bands(job), {depth(above_, halo), depth(below_, halo), 0, 0}),
      row_(job.row_bytes(), job.row_bytes(), 1) {}

void BandWork::start_exchange(int pass, std::int64_t rows, MPI_Request (&requests)[4]) {
    const int count = static_cast<int>(rows);
    const std::int64_t height = part_.height();
    MPI_Irecv(part_.row(pass, -rows), count, row_, above_, kDown, job_.comm, &requests[0]);
    MPI_Irecv(part_.row(pass, height), count, row_, below_, kUp, job_.comm, &requests[1]);
    MPI_Isend(part_.row(pass, 0), count, row_, above_, kUp, job_.comm, &requests[2]);
    MPI_Isend(part_.row(pass, height - rows), count, row_, below_, kDown, job_.comm, &requests[3]);
}

}  // namespace convolab::mpi
