// SPDX-License-Identifier: MIT
// gpu_nccl -- NCCL sends the halos from GPU to GPU, in the order of a stream
// Source: new; the exchange as in NVIDIA's multi-gpu-programming-models, variant nccl.
// Idea: for NCCL a message is work for a stream, like a kernel: it begins when everything that was
//     issued before it has ended. So the host issues the exchanges and the filters of all passes
//     one after the other, and waits once. Messages that are issued as a group start together, and
//     wait for their partners on the GPU.
// Since gpu_direct: the host does not wait between passes; the library is not MPI.
// Limit: with small pictures the exchange, which is a kernel, and its launch; we have not measured
//     them separately. Each rank needs its own GPU. compute_ms and exchange_ms are the host's time,
//     wait_ms is what the GPU has left to do after that.
// Alone: build/labs/11_mpi/lab bench --variant gpu,gpu_nccl --ranks 2 --passes 1,100 --size 4k
#include "labs/11_mpi/ranks/device_band.hpp"
#include "labs/11_mpi/ranks/gpu_link.hpp"
#include "labs/11_mpi/variants.hpp"

namespace convolab::mpi {
namespace {

class GpuNccl final : public DeviceBand {
  public:
    static void require(const RankJob& job) {
        GpuLink::require(job);
        DeviceBand::require(job);
    }
    explicit GpuNccl(const RankJob& job)
        : DeviceBand(job), all_(rows(0, part_.height())), link_(job) {}

    void run(RankClock& clock) override {
        for (int pass = 0; pass < job_.passes(); ++pass) {
            clock.exchange([&] { issue_exchange(pass); });
            clock.compute([&] { filter(pass, all_, stream_); });
        }
        clock.wait([&] { stream_.wait(); });
    }

  private:
    void issue_exchange(int pass) {
        const std::int64_t p = job_.radius();
        const std::int64_t height = part_.height();
        // Two ranks in a ring are both above and below each other: what is sent up comes from
        // below.
        link_.exchange({{d_row(pass, 0), above_}, {d_row(pass, height - p), below_}},
                       {{d_row(pass, height), below_}, {d_row(pass, -p), above_}},
                       static_cast<std::size_t>(p * pitch()), stream_);
    }

    std::optional<Rows> all_;
    GpuLink link_;
    Stream stream_;
};

}  // namespace

const Variant gpu_nccl = rank_variant<GpuNccl>(
    device_variant({.name = "gpu_nccl",
                    .idea = "NCCL sends the halos from GPU to GPU, in the order of a stream"}));

}  // namespace convolab::mpi
