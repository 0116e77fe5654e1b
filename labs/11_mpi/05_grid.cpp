// SPDX-License-Identifier: MIT
// grid -- blocks in two dimensions, with columns and corners
// Source: new.
// Idea: n ranks form a grid of about sqrt(n) x sqrt(n) blocks (MPI_Dims_create, MPI_Cart_create). A
//     block has a shorter border than a band of as many pixels, so fewer bytes travel. First the
//     columns left and right are sent. Their pixels are not neighbours in memory, so a derived
//     datatype describes them, and MPI packs them. Then the rows above and below are sent, together
//     with the halo columns that have just arrived: so the corners need no messages.
// Since halo: two more messages, whose pixels are far apart; 2 p (w + h) pixels of a block w x h.
// Limit: as in halo, and packing the columns. The rows of a band are contiguous and need no
//     packing.
// Alone: build/labs/11_mpi/lab bench --variant halo,grid --ranks 2,4 --passes 10 --size 4k
#include "labs/11_mpi/ranks/datatype.hpp"
#include "labs/11_mpi/ranks/part.hpp"
#include "labs/11_mpi/ranks/rank_work.hpp"
#include "labs/11_mpi/variants.hpp"

namespace convolab::mpi {
namespace {

/// Blocks in each direction: of rows, of columns.
struct Shape {
    int size[2] = {0, 0};
    explicit Shape(const RankJob& job) { MPI_Dims_create(job.ranks(), 2, size); }
};

/// The ranks of the four neighbours; MPI_PROC_NULL at the edges of the picture.
struct Neighbours {
    int up, down, left, right;

    explicit Neighbours(const RankJob& job) {
        const Shape shape(job);
        // In a direction of one block, `wrap` finds the opposite edge in the block itself.
        const int ring[2] = {is_ring(job) && shape.size[0] > 1, is_ring(job) && shape.size[1] > 1};
        MPI_Comm grid = MPI_COMM_NULL;
        MPI_Cart_create(job.comm, 2, shape.size, ring, false, &grid);
        MPI_Cart_shift(grid, 0, 1, &up, &down);
        MPI_Cart_shift(grid, 1, 1, &left, &right);
        MPI_Comm_free(&grid);
    }
    Halo halo(std::int64_t p) const {
        const auto depth = [p](int rank) { return rank == MPI_PROC_NULL ? 0 : p; };
        return {depth(up), depth(down), depth(left), depth(right)};
    }
};

std::vector<Rectangle> blocks(const RankJob& job) {
    const Shape shape(job);
    std::vector<Rectangle> all;
    for (int rank = 0; rank < job.ranks(); ++rank) {  // as in MPI_Cart_create: row by row
        const int i = rank % shape.size[1];
        const int j = rank / shape.size[1];
        const std::int64_t x = part_begin(job.width, i, shape.size[1]);
        const std::int64_t y = part_begin(job.height, j, shape.size[0]);
        all.push_back({x, y, part_begin(job.width, i + 1, shape.size[1]) - x,
                       part_begin(job.height, j + 1, shape.size[0]) - y});
    }
    return all;
}

class Grid final : public RankWork {
  public:
    static void require(const RankJob& job) {
        const Shape shape(job);
        require_parts(job.height, shape.size[0], job.radius(), "rows");
        require_parts(job.width, shape.size[1], job.radius(), "columns");
    }
    explicit Grid(const RankJob& job)
        : job_(job),
          next_(job),
          halo_(next_.halo(job.radius())),
          part_(job, blocks(job), halo_),
          columns_(part_.row_bytes(), std::int64_t{1} * job.radius() * job.channels,
                   part_.height()),
          rows_(part_.row_bytes(), part_.row_bytes(), job.radius()) {}

    void distribute(const Image* picture) override { part_.distribute(picture); }
    void collect(Image* result) override { part_.collect(result); }
    void poison() override { part_.poison(); }
    void run(RankClock& clock) override {
        for (int pass = 0; pass < job_.passes(); ++pass) {
            clock.exchange([&] { exchange(pass); });
            clock.compute([&] { part_.filter(pass, 0, part_.height()); });
        }
    }

  private:
    void exchange(int pass) {
        const int p = job_.radius();
        const std::int64_t w = part_.width();
        const std::int64_t h = part_.height();
        // The last columns to the right, the first to the left; then rows with their halo columns.
        shift(columns_, part_.pixel(pass, w - p, 0), next_.right, part_.pixel(pass, -p, 0),
              next_.left);
        shift(columns_, part_.pixel(pass, 0, 0), next_.left, part_.pixel(pass, w, 0), next_.right);
        shift(rows_, part_.row(pass, h - p), next_.down, part_.row(pass, -p), next_.up);
        shift(rows_, part_.row(pass, 0), next_.up, part_.row(pass, h), next_.down);
    }
    void shift(MPI_Datatype what, const std::uint8_t* from, int to, std::uint8_t* into,
               int source) {
        constexpr int kTag = 4;
        MPI_Sendrecv(from, 1, what, to, kTag, into, 1, what, source, kTag, job_.comm,
                     MPI_STATUS_IGNORE);
    }

    RankJob job_;
    Neighbours next_;
    Halo halo_;
    Part part_;
    RectangleType columns_, rows_;
};

}  // namespace

const Variant grid = rank_variant<Grid>(
    {.name = "grid",
     .idea = "blocks in two dimensions: columns by derived datatypes, and corners"});

}  // namespace convolab::mpi
