// SPDX-License-Identifier: MIT
// gpu -- a GPU per rank, the halos through the host
// Source: new; the exchange as in NVIDIA's multi-gpu-programming-models, variant mpi without
//     CUDA-aware MPI.
// Idea: the band stays in the memory of the rank's GPU from the first pass to the last. MPI sends
//     host memory, so the p rows at both ends of the band are copied to the host, exchanged as in
//     halo, and copied to the neighbour's GPU. The kernels are lab 06's (--kernel).
// Since halo: the filter runs on a GPU, and each pass has four short copies.
// Limit: the latency of the copies, the messages and the launch, which follow one another; the
//     thinner the bands, the more it counts. If there are more ranks than GPUs, ranks share one.
// Alone: build/labs/11_mpi/lab bench --variant gpu --ranks 1 --passes 1,100 --size 4k
#include "labs/11_mpi/ranks/staged_band.hpp"
#include "labs/11_mpi/variants.hpp"

namespace convolab::mpi {
namespace {

class Gpu final : public StagedBand {
  public:
    explicit Gpu(const RankJob& job) : StagedBand(job), all_(rows(0, part_.height())) {}

    void run(RankClock& clock) override {
        for (int pass = 0; pass < job_.passes(); ++pass) {
            clock.exchange([&] {
                edges_to_host(pass, stream_);
                exchange();
                halos_to_device(pass, stream_);
            });
            clock.compute([&] {
                filter(pass, all_, stream_);
                stream_.wait();
            });
        }
    }

  private:
    std::optional<Rows> all_;
    Stream stream_;
};

}  // namespace

const Variant gpu = rank_variant<Gpu>(
    device_variant({.name = "gpu", .idea = "a GPU per rank, the halos through the host"}));

}  // namespace convolab::mpi
