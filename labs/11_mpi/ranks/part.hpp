// SPDX-License-Identifier: MIT
// A rank's part of the picture, with its halo: a frame of pixels that belong to the neighbours.
// At the edge of the picture there is no halo, because the filter's border rule applies there. With
// `wrap`, the neighbour beyond an edge is the rank at the opposite edge.
//
//        up     +------+----------------+------+
//               |      |  halo          |      |      the local picture: x from -left, y from -up,
//      y = 0    +------+----------------+------+      counted from the part's first pixel
//               |      |  the part      |      |
//               |      |                |      |
//   y = height  +------+----------------+------+
//        down   |      |                |      |
//               +------+----------------+------+
//                left  x = 0        width   right
#pragma once

#include <mpi.h>

#include <memory>
#include <vector>

#include "common/row_filter/row_filter.hpp"
#include "labs/11_mpi/ranks/rank_job.hpp"

namespace convolab::mpi {

/// A rectangle of the whole picture.
struct Rectangle {
    std::int64_t x, y, width, height;
};
/// Depth of the halo on each side.
struct Halo {
    std::int64_t up, down, left, right;
};

class Part {
  public:
    /// rectangles: of every rank.
    Part(const RankJob& job, std::vector<Rectangle> rectangles, const Halo& halo);

    const Rectangle& own() const { return rectangles_[static_cast<std::size_t>(job_.rank)]; }
    std::int64_t width() const { return own().width; }
    std::int64_t height() const { return own().height; }

    /// The picture that a pass reads: of pass 0 the input, of the others the output of the pass
    /// before. The output of the last pass is what pass number `passes` would read.
    std::uint8_t* pixel(int pass, std::int64_t x, std::int64_t y);
    std::uint8_t* row(int pass, std::int64_t y) { return pixel(pass, -halo_.left, y); }
    /// Bytes from one row to the next, with the halo.
    std::int64_t row_bytes() const { return pictures_[0].width() * pictures_[0].channels(); }

    /// Output rows first .. last - 1 of a pass.
    void filter(int pass, std::int64_t first, std::int64_t last);

    /// Each rank's part of the picture, from and to rank 0.
    void distribute(const Image* picture);
    void collect(Image* result);
    void poison();

    /// Which of three pictures a pass reads: the input, or one of two in turn.
    static int slot(int pass) { return pass == 0 ? 0 : 2 - pass % 2; }
    /// The input with its halo.
    const Image& picture() const { return pictures_[0]; }

  private:
    void transfer(Image* picture, int pass, bool to_rank_0);

    RankJob job_;
    std::vector<Rectangle> rectangles_;
    Halo halo_;
    std::vector<Image> pictures_;                      ///< the input, and two in turn
    std::vector<std::unique_ptr<RowFilter>> filters_;  ///< of each picture
    RowFilter::Scratch scratch_;
};

}  // namespace convolab::mpi
