// SPDX-License-Identifier: MIT
#include "labs/11_mpi/ranks/staged_band.hpp"

namespace convolab::mpi {

StagedBand::StagedBand(const RankJob& job) : DeviceBand(job) {
    const auto bytes = static_cast<std::size_t>(job.radius() * job.row_bytes());
    for (auto* h_rows : {&h_first_, &h_last_, &h_above_, &h_below_})
        *h_rows = PinnedBuffer<std::uint8_t>(bytes);
}

void StagedBand::edges_to_host(int pass, const Stream& stream) {
    copy(h_first_.data(), pass, 0, up(), true, stream);
    copy(h_last_.data(), pass, part_.height() - down(), down(), true, stream);
    stream.wait();
}

void StagedBand::exchange() {
    const int p = job_.radius();
    MPI_Sendrecv(h_last_.data(), p, row_, below_, kDown, h_above_.data(), p, row_, above_, kDown,
                 job_.comm, MPI_STATUS_IGNORE);
    MPI_Sendrecv(h_first_.data(), p, row_, above_, kUp, h_below_.data(), p, row_, below_, kUp,
                 job_.comm, MPI_STATUS_IGNORE);
}

void StagedBand::halos_to_device(int pass, const Stream& stream) {
    copy(h_above_.data(), pass, -up(), up(), false, stream);
    copy(h_below_.data(), pass, part_.height(), down(), false, stream);
    stream.wait();
}

}  // namespace convolab::mpi
