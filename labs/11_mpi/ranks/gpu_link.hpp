// SPDX-License-Identifier: MIT
// Messages from GPU to GPU as work for a stream, in its order, like copies and kernels: NCCL's
// ncclSend and ncclRecv. The emulator has no NCCL; there a function in the stream calls MPI.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "common/cuda/stream.hpp"
#include "labs/11_mpi/ranks/rank_job.hpp"

struct ncclComm;

namespace convolab::mpi {

class GpuLink {
  public:
    /// Throws MissingLibrary if the program was built without NCCL, UnfitSetting if there are more
    /// ranks than GPUs: with NCCL, two ranks cannot share one.
    static void require(const RankJob& job);
    /// On the current device. All ranks of the job meet.
    explicit GpuLink(const RankJob& job);

    /// Device memory, and the rank that it goes to or comes from; MPI_PROC_NULL: nothing is done.
    struct Message {
        std::uint8_t* d_bytes;
        int rank;
    };
    /// Issues all messages, of `bytes` each, as one piece of work. Between two ranks the first that
    /// one sends is the first that the other one receives.
    void exchange(const std::vector<Message>& sent, const std::vector<Message>& received,
                  std::size_t bytes, const Stream& stream) const;

  private:
#ifdef CUDA_ON_CPU
    MPI_Comm ranks_;
#else
    ncclComm* nccl_;  ///< nullptr for one rank
#endif
};

}  // namespace convolab::mpi
