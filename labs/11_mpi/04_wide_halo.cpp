// SPDX-License-Identifier: MIT
// wide_halo -- one exchange of p s rows for s passes
// Source: new.
// Idea: with a halo of s p rows a rank can do s passes before it needs its neighbours again. It
//     also filters rows of the halo, p fewer on each side from pass to pass. The neighbour computes
//     the same rows, so the variant does more work to send fewer messages.
// Since halo: 1/s of the messages, but as many bytes; on average p (s - 1) / 2 more rows to filter
//     on each side in each pass. --halo-passes is s.
// Limit: the additional rows, if the bands are thin. With fast messages and large bands there is
//     little to gain.
// Alone: build/labs/11_mpi/lab bench --variant halo,wide_halo --ranks 2 --passes 16
//     --halo-passes 2,4,8 --size 480p
#include <algorithm>

#include "labs/11_mpi/ranks/band_work.hpp"
#include "labs/11_mpi/variants.hpp"

namespace convolab::mpi {
namespace {

/// No more than there are passes.
int passes_per_exchange(const RankJob& job) {
    return std::min(job.settings.halo_passes, job.passes());
}
std::int64_t wide(const RankJob& job) {
    return std::int64_t{1} * job.radius() * passes_per_exchange(job);
}

class WideHalo final : public BandWork {
  public:
    static void require(const RankJob& job) {
        require_parts(job.height, job.ranks(), wide(job), "rows");
    }
    explicit WideHalo(const RankJob& job) : BandWork(job, wide(job)) {}

    void run(RankClock& clock) override {
        const std::int64_t p = job_.radius();
        for (int first = 0; first < job_.passes(); first += passes_per_exchange(job_)) {
            const int end = std::min(first + passes_per_exchange(job_), job_.passes());
            clock.exchange([&] {
                MPI_Request requests[4];
                start_exchange(first, p * (end - first), requests);
                MPI_Waitall(4, requests, MPI_STATUSES_IGNORE);
            });
            for (int pass = first; pass < end; ++pass) {
                const std::int64_t more =
                    p * (end - 1 - pass);  // rows that later passes still read
                clock.compute([&] {
                    part_.filter(pass, above_ == MPI_PROC_NULL ? 0 : -more,
                                 part_.height() + (below_ == MPI_PROC_NULL ? 0 : more));
                });
            }
        }
    }
};

}  // namespace

const Variant wide_halo =
    rank_variant<WideHalo>({.name = "wide_halo",
                            .idea = "p s rows once for s passes: fewer messages, more work",
                            .uses = kUsesHaloPasses});

}  // namespace convolab::mpi
