// SPDX-License-Identifier: MIT
// Halos through the host, for MPI libraries that take host memory only: the p rows at both ends of
// the band are copied to the host, exchanged there, and copied to the neighbour's device.
#pragma once

#include "labs/11_mpi/ranks/device_band.hpp"

namespace convolab::mpi {

class StagedBand : public DeviceBand {
  public:
    explicit StagedBand(const RankJob& job);

  protected:
    /// The three steps of a pass, in this order. The copies wait for their stream.
    void edges_to_host(int pass, const Stream& stream);
    void exchange();
    void halos_to_device(int pass, const Stream& stream);

  private:
    PinnedBuffer<std::uint8_t> h_first_, h_last_, h_above_, h_below_;  ///< p rows each
};

}  // namespace convolab::mpi
