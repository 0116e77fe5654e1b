// SPDX-License-Identifier: MIT
// gpu_direct -- MPI sends from the memory of one GPU to the memory of another
// Source: new; the exchange as in NVIDIA's multi-gpu-programming-models, variant mpi with
//     CUDA-aware MPI.
// Idea: a CUDA-aware MPI library takes pointers to device memory. The rank passes it the band's
//     last rows and the place of the halo, as halo does with host memory. The library finds the
//     way, over NVLink, the bus or the network, without the host's memory. It knows no streams, so
//     the filter must have ended before the exchange begins.
// Since gpu: no copies, and no memory of the host.
// Limit: the latency of the messages, of the launch and of the wait for it, which follow one
//     another. Most builds of MPI are not CUDA-aware (Debian's is not); they do not support this
//     variant.
// Alone: build/labs/11_mpi/lab bench --variant gpu,gpu_direct --ranks 2 --passes 1,100 --size 4k
#include "labs/11_mpi/ranks/cuda_aware.hpp"
#include "labs/11_mpi/ranks/device_band.hpp"
#include "labs/11_mpi/variants.hpp"

namespace convolab::mpi {
namespace {

class GpuDirect final : public DeviceBand {
  public:
    static void require(const RankJob& job) {
        require_cuda_aware_mpi();
        DeviceBand::require(job);
    }
    explicit GpuDirect(const RankJob& job)
        : DeviceBand(job), all_(rows(0, part_.height())), d_type_(pitch(), pitch(), 1) {}

    void run(RankClock& clock) override {
        for (int pass = 0; pass < job_.passes(); ++pass) {
            clock.exchange([&] { exchange(pass); });
            clock.compute([&] {
                filter(pass, all_, stream_);
                stream_.wait();  // MPI reads what the kernel has written
            });
        }
    }

  private:
    void exchange(int pass) {
        const int p = job_.radius();
        const std::int64_t height = part_.height();
        MPI_Sendrecv(d_row(pass, height - p), p, d_type_, below_, kDown,  // the last rows, down
                     d_row(pass, -p), p, d_type_, above_, kDown, job_.comm, MPI_STATUS_IGNORE);
        MPI_Sendrecv(d_row(pass, 0), p, d_type_, above_, kUp,  // the first rows, up
                     d_row(pass, height), p, d_type_, below_, kUp, job_.comm, MPI_STATUS_IGNORE);
    }

    std::optional<Rows> all_;
    RectangleType d_type_;  ///< a row and the bytes up to the next: messages are contiguous
    Stream stream_;
};

}  // namespace

const Variant gpu_direct = rank_variant<GpuDirect>(device_variant(
    {.name = "gpu_direct", .idea = "MPI sends from the memory of one GPU to that of another"}));

}  // namespace convolab::mpi
