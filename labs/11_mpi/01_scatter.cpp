// SPDX-License-Identifier: MIT
// scatter -- rank 0 sends a band with its halo to every rank and gathers the output
// Source: new.
// Idea: the first program that comes to mind. Rank 0 has the picture. In each pass it sends every
//     rank its band of rows and the p rows above and below, which the filter also needs. Every rank
//     filters its band, and MPI_Gatherv collects the bands. A rank knows nothing of its neighbours.
// Since lab 02's rows: processes instead of threads. They share no memory, so what was a pointer is
//     now a message.
// Limit: rank 0. The whole picture leaves it and returns to it in each pass, however many ranks
//     there are.
// Alone: build/labs/11_mpi/lab bench --variant scatter --ranks 1,2 --passes 1,10 --size 4k
#include <algorithm>

#include "labs/11_mpi/ranks/band_work.hpp"
#include "labs/11_mpi/variants.hpp"

namespace convolab::mpi {
namespace {

class Scatter final : public RankWork {
  public:
    static void require(const RankJob& job) { require_parts(job.height, job.ranks(), 1, "rows"); }

    explicit Scatter(const RankJob& job)
        : job_(job),
          row_(job.row_bytes(), job.row_bytes(), 1),
          part_(job, bands(job), halo(job.rank)) {
        for (const Rectangle& band : bands(job)) {
            first_.push_back(static_cast<int>(band.y));
            rows_.push_back(static_cast<int>(band.height));
        }
    }
    void distribute(const Image* picture) override {
        if (job_.rank != 0) return;
        for (auto& whole : wholes_)
            whole.resize(static_cast<std::size_t>((job_.height + 2 * margin()) * job_.row_bytes()));
        std::copy_n(picture->data<std::uint8_t>(), picture->bytes(), whole_row(0, 0));
    }
    void run(RankClock& clock) override {
        for (int pass = 0; pass < job_.passes(); ++pass) {
            clock.exchange([&] { scatter(pass); });
            clock.compute([&] { part_.filter(0, 0, part_.height()); });
            clock.exchange([&] { gather(pass + 1); });
        }
    }
    void collect(Image* result) override {
        if (job_.rank == 0)
            std::copy_n(whole_row(1, 0), result->bytes(), result->data<std::uint8_t>());
    }
    void poison() override { std::fill(wholes_[1].begin(), wholes_[1].end(), 0xA5); }

  private:
    void scatter(int pass) {
        if (job_.rank != 0) {
            const Halo own = halo(job_.rank);
            MPI_Recv(part_.row(0, -own.up), rows_with_halo(job_.rank), row_, 0, kTag, job_.comm,
                     MPI_STATUS_IGNORE);
            return;
        }
        for (std::int64_t i = 0; i < margin(); ++i) {  // the rows beyond both edges
            copy_row(pass, -1 - i);
            copy_row(pass, job_.height + i);
        }
        for (int rank = 1; rank < job_.ranks(); ++rank)
            MPI_Send(whole_row(pass, first_[at(rank)] - halo(rank).up), rows_with_halo(rank), row_,
                     rank, kTag, job_.comm);
        std::copy_n(whole_row(pass, -halo(0).up), rows_with_halo(0) * job_.row_bytes(),
                    part_.row(0, -halo(0).up));
    }
    void gather(int pass) {
        MPI_Gatherv(part_.row(1, 0), rows_[at(job_.rank)], row_,
                    job_.rank == 0 ? whole_row(pass, 0) : nullptr, rows_.data(), first_.data(),
                    row_, 0, job_.comm);
    }

    static std::size_t at(int rank) { return static_cast<std::size_t>(rank); }
    /// Rows of the picture that the filter reads beyond a rank's band; fewer at the picture's
    /// edges.
    Halo halo(int rank) const {
        const std::int64_t p = job_.radius();
        if (margin() > 0) return {p, p, 0, 0};
        const std::int64_t first = part_begin(job_.height, rank, job_.ranks());
        const std::int64_t end = part_begin(job_.height, rank + 1, job_.ranks());
        return {std::min(p, first), std::min(p, job_.height - end), 0, 0};
    }
    int rows_with_halo(int rank) const {
        return rows_[at(rank)] + static_cast<int>(halo(rank).up + halo(rank).down);
    }
    /// Rows that rank 0 keeps above and below the picture, for `wrap`.
    std::int64_t margin() const { return is_ring(job_) && job_.ranks() > 1 ? job_.radius() : 0; }
    /// Row y of what a pass reads: of pass 0 the input, of all others the gathered output.
    std::uint8_t* whole_row(int pass, std::int64_t y) {
        return wholes_[pass > 0].data() + (y + margin()) * job_.row_bytes();
    }
    void copy_row(int pass, std::int64_t y) {
        std::copy_n(whole_row(pass, source_index(job_.border.rule, y, job_.height)),
                    job_.row_bytes(), whole_row(pass, y));
    }

    static constexpr int kTag = 3;
    RankJob job_;
    RectangleType row_;
    Part part_;
    std::vector<int> first_, rows_;        // of every rank's band
    std::vector<std::uint8_t> wholes_[2];  // of rank 0
};

}  // namespace

const Variant scatter = rank_variant<Scatter>(
    {.name = "scatter", .idea = "rank 0 sends bands with halos and gathers, in each pass"});

}  // namespace convolab::mpi
