// SPDX-License-Identifier: MIT
// gpu_overlap -- filters the interior on the GPU while the host exchanges the halos
// Source: new.
// Idea: a launch returns at once. One stream filters the interior of the band, which reads no halo.
//     Meanwhile the host copies the edges on another stream, exchanges them and copies the halos
//     back. Then the first and the last p rows are filtered. MPI need not make progress in the
//     background, because the host is inside an MPI call.
// Since gpu: two streams, and three launches per pass.
// Limit: three launches per pass and the exchange, if the interior takes less time than these: at
//     1080p it is slower than gpu.
// Alone: build/labs/11_mpi/lab bench --variant gpu,gpu_overlap --ranks 1 --passes 1,100 --size 4k
#include <algorithm>

#include "labs/11_mpi/ranks/staged_band.hpp"
#include "labs/11_mpi/variants.hpp"

namespace convolab::mpi {
namespace {

class GpuOverlap final : public StagedBand {
  public:
    explicit GpuOverlap(const RankJob& job)
        : StagedBand(job),
          top_(std::min<std::int64_t>(job.radius(), part_.height())),
          bottom_(std::max(top_, part_.height() - job.radius())),
          first_(rows(0, top_)),
          interior_(rows(top_, bottom_)),
          last_(rows(bottom_, part_.height())) {}

    void run(RankClock& clock) override {
        for (int pass = 0; pass < job_.passes(); ++pass) {
            clock.compute([&] { filter(pass, interior_, filters_); });
            clock.exchange([&] {
                edges_to_host(pass, copies_);
                exchange();
                halos_to_device(pass, copies_);
            });
            clock.compute([&] {
                filter(pass, first_, filters_);
                filter(pass, last_, filters_);
                filters_.wait();  // the next pass copies these rows
            });
        }
    }

  private:
    std::int64_t top_, bottom_;  ///< rows before top_ and from bottom_ on read the halo
    std::optional<Rows> first_, interior_, last_;
    Stream filters_, copies_;
};

}  // namespace

const Variant gpu_overlap = rank_variant<GpuOverlap>(device_variant(
    {.name = "gpu_overlap", .idea = "the interior on the GPU while the host exchanges the halos"}));

}  // namespace convolab::mpi
