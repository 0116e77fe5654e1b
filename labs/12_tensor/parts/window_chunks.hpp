// SPDX-License-Identifier: MIT
// Which bytes an asynchronous product multiplies. A column is 16 bytes x 4 rows of the output, a
// row for each warp. It depends on K + 3 input rows, and in each on a window of 16 + 2 p C bytes,
// which lies in up to three chunks of 16 bytes. A stage of the ring (stage_ring.hpp) is 4 input
// rows.
//
// With 3 or 4 channels A is sparse, and a product takes four chunks: chunk c of each row of a
// stage. If the last stage has only two rows (K = 3 and 7), two products take the chunks of one row
// each; the taps of chunks that no window needs are zero. With one channel A is dense, and a product
// takes two chunks of a row.
//
// Windows take the fewest chunks if the first window begins at a multiple of 16 bytes. If rows begin
// there instead, the chunks begin 16 bytes before the column; with K = 3 or 5, a window then has
// three chunks instead of two.
#pragma once

#include <array>
#include <vector>

#include "common/base/device_code.hpp"
#include "labs/12_tensor/parts/lane_matrix.hpp"
#include "labs/12_tensor/parts/warpgroup.hpp"

namespace convolab::tensor_cores {

inline constexpr int kStageRows = 4;
inline constexpr int kChunkBytes = 16;

/// Where rows of the input begin.
enum class Begin {
    windows,   ///< p C bytes after a multiple of 16, so that the windows begin at multiples of 16
    sixteens,  ///< at multiples of 16
    anywhere,  ///< at any address
};

template <int K, int C, Begin the_begin = Begin::windows>
struct WindowChunks {
    static constexpr Begin kBegin = the_begin;
    using Part = std::conditional_t<C == 1, DensePart, SparsePart>;
    /// Columns of a product. Rows of 8K are whole strips; of 4K, too, except in gray.
    static constexpr int kColumns = C == 3 ? 144 : 160;
    static constexpr int kStripBytes = kChunkBytes * kColumns;
    static constexpr int kReach = K / 2 * C;  ///< bytes from a window to its column
    /// Bytes from the first chunk to the column.
    static constexpr int kLead = kBegin == Begin::sixteens ? kChunkBytes : kReach;
    static constexpr int kInRow = (kLead + kChunkBytes + kReach + kChunkBytes - 1) / kChunkBytes;
    static constexpr int kRows = K + kStageRows - 1;
    static constexpr int kStages = (kRows + kStageRows - 1) / kStageRows;  ///< under 4 output rows
    static constexpr int kRowBytes = kStripBytes + kChunkBytes * (kInRow - 1);
    /// Room for a row that has not been moved yet (finisher.hpp).
    static constexpr int kMoves = kBegin == Begin::anywhere ? 160 : 0;
    static constexpr int kPitch = (kRowBytes + kMoves + 127) / 128 * 128;
    /// Bytes before the first row of the ring. A copy is fastest if both addresses are the same
    /// number of bytes after a multiple of 128.
    static constexpr int kSkew = kBegin == Begin::sixteens ? 128 - kLead : 0;
    static constexpr int kStageBytes = kStageRows * kPitch;

    /// Rows whose chunks one product takes; all others take one chunk of each row of a stage.
    static constexpr int kSingleRows = C == 1 ? kRows : kRows % kStageRows;
    static constexpr int kFirstOfRows = (kRows - kSingleRows) / kStageRows * kInRow;
    static constexpr int kProducts = kFirstOfRows + kSingleRows;
    HOST_DEVICE static constexpr bool is_of_row(int i) { return i >= kFirstOfRows; }

    /// Return the window row, and the byte in it, of chunk q of product i.
    HOST_DEVICE static constexpr int row(int i, int q) {
        if (is_of_row(i)) return kRows - kProducts + i;
        return kStageRows * (i / kInRow) + q;
    }
    HOST_DEVICE static constexpr int byte(int i, int q) {
        return kChunkBytes * (is_of_row(i) ? q : i % kInRow);
    }
    /// Return the stage of product i, the offset of its first chunk in the stage, and the distance
    /// from there to the next chunk.
    HOST_DEVICE static constexpr int stage(int i) { return row(i, 0) / kStageRows; }
    HOST_DEVICE static constexpr int offset(int i) {
        return row(i, 0) % kStageRows * kPitch + byte(i, 0);
    }
    HOST_DEVICE static constexpr int stride(int i) { return is_of_row(i) ? kChunkBytes : kPitch; }
};

/// Returns A: part (4 i + w) x 32 + lane is what a lane of warp w holds for product i. Row m of a
/// warp computes byte 2 (m % 8) + m / 8 of the column, so that a lane's sums belong to two bytes
/// that lie together. lead: bytes from the first chunk to the column.
template <class Chunks>
std::vector<typename Chunks::Part> warpgroup_matrix(const Toeplitz& matrix, int lead) {
    using Part = typename Chunks::Part;
    std::vector<Part> lanes;
    for (int i = 0; i < Chunks::kProducts; ++i)
        for (int warp = 0; warp < kStageRows; ++warp) {
            std::array<unsigned, 4> a[32] = {};
            unsigned positions[32] = {};
            for (int m = 0; m < 16; ++m) {
                const auto element = [&](int k) {  // the weight of byte k of the product
                    const int q = k / kChunkBytes;
                    return matrix.weight(
                        warp, 2 * (m % 8) + m / 8, Chunks::row(i, q),
                        Chunks::byte(i, q) + k % kChunkBytes - lead + Chunks::kReach);
                };
                const auto put = [&](int k, std::int8_t value) {  // the k-th that is stored
                    a[4 * (m % 8) + k % 16 / 4][m / 8 + 2 * (k / 16)] |=
                        static_cast<unsigned>(static_cast<std::uint8_t>(value)) << (8 * (k % 4));
                };
                if constexpr (Part::kChunks == 2) {
                    for (int k = 0; k < 32; ++k) put(k, element(k));
                } else {
                    for (int group = 0; group < 16; ++group) {
                        const auto [first, last] =
                            two_places([&](int k) { return element(4 * group + k) != 0; });
                        put(2 * group, element(4 * group + first));
                        put(2 * group + 1, element(4 * group + last));
                        positions[4 * (m % 8) + m / 8 + 2 * (group / 8)] |=
                            static_cast<unsigned>(first | last << 2) << (4 * (group % 8));
                    }
                }
            }
            for (int lane = 0; lane < 32; ++lane) {
                Part part{};
                part.a = make_uint4(a[lane][0], a[lane][1], a[lane][2], a[lane][3]);
                if constexpr (Part::kChunks == 4) part.positions = positions[lane];
                lanes.push_back(part);
            }
        }
    return lanes;
}

}  // namespace convolab::tensor_cores
