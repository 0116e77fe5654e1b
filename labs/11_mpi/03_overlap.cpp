// SPDX-License-Identifier: MIT
// overlap -- filters the interior of the band while the halos travel
// Source: new.
// Idea: only the first and the last p output rows of a band read the halo. MPI_Isend and MPI_Irecv
//     start the exchange and return. The rank filters the rows between, waits, and then filters the
//     two edges.
// Since halo: the rank waits only as long as the exchange takes longer than the interior.
// Limit: the library. Many MPI libraries move a long message only inside an MPI call: they start it
//     here, do not move it in the background, and end it in MPI_Waitall. Thin bands have little
//     interior.
// Alone: build/labs/11_mpi/lab bench --variant halo,overlap --ranks 2 --passes 10 --size 480p,4k
#include "labs/11_mpi/ranks/band_work.hpp"
#include "labs/11_mpi/variants.hpp"

namespace convolab::mpi {
namespace {

class Overlap final : public BandWork {
  public:
    static void require(const RankJob& job) {
        require_parts(job.height, job.ranks(), job.radius(), "rows");
    }
    explicit Overlap(const RankJob& job) : BandWork(job, job.radius()) {}

    void run(RankClock& clock) override {
        const std::int64_t height = part_.height();
        // Rows before `top` and from `bottom` on read the halo.
        const std::int64_t top = std::min<std::int64_t>(job_.radius(), height);
        const std::int64_t bottom = std::max(top, height - job_.radius());
        for (int pass = 0; pass < job_.passes(); ++pass) {
            MPI_Request requests[4];
            clock.exchange([&] { start_exchange(pass, job_.radius(), requests); });
            clock.compute([&] { part_.filter(pass, top, bottom); });
            clock.wait([&] { MPI_Waitall(4, requests, MPI_STATUSES_IGNORE); });
            clock.compute([&] {
                part_.filter(pass, 0, top);
                part_.filter(pass, bottom, height);
            });
        }
    }
};

}  // namespace

const Variant overlap = rank_variant<Overlap>(
    {.name = "overlap", .idea = "non-blocking: the interior while the halos travel"});

}  // namespace convolab::mpi
