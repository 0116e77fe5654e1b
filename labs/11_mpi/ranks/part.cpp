// SPDX-License-Identifier: MIT
#include "labs/11_mpi/ranks/part.hpp"

#include <utility>

#include "labs/11_mpi/ranks/datatype.hpp"

namespace convolab::mpi {

Part::Part(const RankJob& job, std::vector<Rectangle> rectangles, const Halo& halo)
    : job_(job), rectangles_(std::move(rectangles)), halo_(halo) {
    for (int i = 0; i < 3; ++i)
        pictures_.emplace_back(halo.left + width() + halo.right, halo.up + height() + halo.down,
                               job.channels);
    for (const Image& picture : pictures_)
        filters_.push_back(
            std::make_unique<RowFilter>(Computation{{&picture}, job.filter, job.border}));
    scratch_ = filters_.front()->make_scratch();
}

std::uint8_t* Part::pixel(int pass, std::int64_t x, std::int64_t y) {
    Image& picture = pictures_[static_cast<std::size_t>(slot(pass))];
    return picture.data<std::uint8_t>() +
           ((y + halo_.up) * picture.width() + x + halo_.left) * job_.channels;
}

void Part::filter(int pass, std::int64_t first, std::int64_t last) {
    if (first >= last) return;
    filters_[static_cast<std::size_t>(slot(pass))]->rows(
        halo_.up + first, halo_.up + last, pictures_[static_cast<std::size_t>(slot(pass + 1))],
        scratch_);
}

void Part::distribute(const Image* picture) {
    transfer(const_cast<Image*>(picture), 0, false);  // only read
}

void Part::collect(Image* result) { transfer(result, job_.passes(), true); }

void Part::poison() {
    for (std::size_t i = 1; i < pictures_.size(); ++i) pictures_[i].poison();
}

/// Rank 0's side of all messages, then this rank's own side of its one.
void Part::transfer(Image* picture, int pass, bool to_rank_0) {
    constexpr int kTag = 2;
    const RectangleType mine(row_bytes(), own().width * job_.channels, own().height);
    std::vector<MPI_Request> requests;
    std::vector<RectangleType> types;
    if (job_.rank == 0)
        for (int rank = 0; rank < job_.ranks(); ++rank) {
            const auto& [x, y, width, height] = rectangles_[static_cast<std::size_t>(rank)];
            types.emplace_back(job_.row_bytes(), width * job_.channels, height);
            std::uint8_t* first =
                picture->data<std::uint8_t>() + y * job_.row_bytes() + x * job_.channels;
            requests.emplace_back();
            if (to_rank_0)
                MPI_Irecv(first, 1, types.back(), rank, kTag, job_.comm, &requests.back());
            else
                MPI_Isend(first, 1, types.back(), rank, kTag, job_.comm, &requests.back());
        }
    if (to_rank_0)
        MPI_Send(pixel(pass, 0, 0), 1, mine, 0, kTag, job_.comm);
    else
        MPI_Recv(pixel(pass, 0, 0), 1, mine, 0, kTag, job_.comm, MPI_STATUS_IGNORE);
    MPI_Waitall(static_cast<int>(requests.size()), requests.data(), MPI_STATUSES_IGNORE);
}

}  // namespace convolab::mpi
