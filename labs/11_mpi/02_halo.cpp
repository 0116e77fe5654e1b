// SPDX-License-Identifier: MIT
// halo -- every rank keeps its band; neighbours exchange p rows in each pass
// Source: new.
// Idea: after the first pass a rank lacks only the p rows next to its band, which its neighbours
//     have just computed. One MPI_Sendrecv sends the band's last rows down while it receives those
//     of the upper neighbour; a second one does the same upwards. At the edge of the picture the
//     neighbour is MPI_PROC_NULL, and both calls do nothing. With border `wrap` the bands form a
//     ring.
// Since scatter: a rank sends 2 p rows per pass instead of its band, and no rank is special.
// Limit: the latency of two messages per pass, because a rank cannot compute while it waits.
// Alone: build/labs/11_mpi/lab bench --variant scatter,halo --ranks 1,2 --passes 1,10 --size 4k
#include "labs/11_mpi/ranks/band_work.hpp"
#include "labs/11_mpi/variants.hpp"

namespace convolab::mpi {
namespace {

class HaloExchange final : public BandWork {
  public:
    static void require(const RankJob& job) {
        require_parts(job.height, job.ranks(), job.radius(), "rows");
    }
    explicit HaloExchange(const RankJob& job) : BandWork(job, job.radius()) {}

    void run(RankClock& clock) override {
        for (int pass = 0; pass < job_.passes(); ++pass) {
            clock.exchange([&] { exchange(pass); });
            clock.compute([&] { part_.filter(pass, 0, part_.height()); });
        }
    }

  private:
    void exchange(int pass) {
        const int p = job_.radius();
        const std::int64_t height = part_.height();
        MPI_Sendrecv(part_.row(pass, height - p), p, row_, below_, kDown,  // the last rows, down
                     part_.row(pass, -p), p, row_, above_, kDown, job_.comm, MPI_STATUS_IGNORE);
        MPI_Sendrecv(part_.row(pass, 0), p, row_, above_, kUp,  // the first rows, up
                     part_.row(pass, height), p, row_, below_, kUp, job_.comm, MPI_STATUS_IGNORE);
    }
};

}  // namespace

const Variant halo = rank_variant<HaloExchange>(
    {.name = "halo", .idea = "every rank keeps its band and exchanges p rows with its neighbours"});

}  // namespace convolab::mpi
