// SPDX-License-Identifier: MIT
// How the packed kernels walk through an image: a warp takes a strip 480 bytes wide and marches
// down some rows of it, 16 bytes per lane.
//
//   row of the image   ...|<------------ 480 bytes out ----------->|...
//   lanes of the warp   [0][1][2] . . . . . . . . . . . . . . [30][31]
//                        |  lanes 1 to 30 write; 0 and 31 are the halo    |
//
// - Each lane copies its 16 bytes of the next kStages rows into its own places in shared memory
//   (cp.async). A pending copy needs no register, and there is no barrier. With 24 warps and 5 rows
//   of 512 bytes, 60 KiB are in flight on each multiprocessor.
// - A warp reads a row once. The body keeps in registers what the next K - 1 outputs need, and gets
//   the bytes of its neighbours by shuffles.
// - Strips at the border of the image run the same code with more tests: by the border rule they
//   find the rows outside the image, and put the bytes outside into the row in shared memory before
//   it is used. The other strips, nearly all, test nothing, and their loop is unrolled.
// - If rows do not begin at multiples of 16 bytes: unaligned_strips.hpp.
// - The costs are two lanes of 32, 6.7 %, and K - 1 more rows per warp: with 10 rows and K = 5,
//   40 % more. Most of them are found in the L2 cache, where another warp has just read them.
#pragma once

#include "common/cuda/async_copy.hpp"
#include "common/cuda/byte_rows.hpp"
#include "common/cuda/unaligned.hpp"

namespace convolab {

inline constexpr int kLaneBytes = 16;
inline constexpr int kLaneWords = 4;
inline constexpr int kRowBytes = 32 * kLaneBytes;    ///< of a warp, in shared memory
inline constexpr int kStripBytes = 30 * kLaneBytes;  ///< of the output
inline constexpr int kStripsPerBlock = 4;

/// The bytes left and right of the image in a row of a warp in shared memory, which begins with byte
/// `base`. Lanes 0 to 15 write those left of it, lanes 16 to 31 those right of it, one each.
template <class Body>
class SidePatch {
  public:
    __device__ __forceinline__ SidePatch(const ByteRows& rows, int base) : base_(base) {
        constexpr int halo = Body::kChannels * (Body::kKsize / 2);
        static_assert(halo <= kLaneBytes);
        const int lane = static_cast<int>(threadIdx.x), i = lane % 16;
        const int t = lane < 16 ? rows.first - halo + i : rows.last + i;
        if (i >= halo || t < base || t >= base + kRowBytes) return;
        to_ = t - base;
        const int from = lane < 16 ? rows.left[halo - 1 - i] : rows.right[i];
        from_ = from == ByteRows::kNothing ? from : from - base;
    }

    /// y: the input row that s_row contains.
    __device__ __forceinline__ void apply(const ByteRows& rows, unsigned char* s_row, int y) const {
        __syncwarp();
        if (to_ >= 0) {
            auto value = static_cast<unsigned>(rows.job.outside);
            if (0 <= from_ && from_ < kRowBytes)
                value = s_row[from_];
            else if (const int row = rows.row(y); from_ != ByteRows::kNothing && row >= 0)
                value = rows.in_row(row)[from_ + base_];
            s_row[to_] = static_cast<unsigned char>(value);
        }
        __syncwarp();
    }

  private:
    int base_;
    int to_ = -1, from_ = 0;  // bytes of the row; the second may be outside of it
};

/// at_edge: the strip is at the border of the image, or has fewer rows than the others.
template <class Body, bool at_edge>
class Strip {
  public:
    /// s_ring: kStages rows of kRowBytes; base: t of lane 0; y: the first output row.
    __device__ __forceinline__ Strip(const ByteRows& rows, const typename Body::Taps& taps,
                                     unsigned char* s_ring, int base, int y)
        : rows_(rows), body_(taps), s_ring_(s_ring), side_(rows, base), y_(y) {
        t_ = base + lane() * kLaneBytes;
        used_ = fetched_ = y + rows.job.origin;
        y_end_ = min(y + rows.rows_per_warp, rows.job.out_height);
        fetch_end_ = y_end_ + rows.job.origin + kBefore;
        d_from_ = rows.in_row(fetched_) + t_;
        d_to_ = rows.d_out + static_cast<std::int64_t>(y) * rows.out_pitch + t_;
        writes_ = 1 <= lane() && lane() <= 30 && t_ < rows.out_bytes;
    }

    /// Whether output rows are left.
    __device__ bool has_rows() const { return y_ < y_end_; }

    /// Starts the copy of the next input row into a slot.
    __device__ __forceinline__ void fetch(int slot) {
        unsigned char* s_to = s_ring_ + slot * kRowBytes + lane() * kLaneBytes;
        if (fetched_ < fetch_end_) {
            if constexpr (at_edge)
                fetch_by_border(s_to);
            else
                copies_.copy_16(s_to, d_from_);
        }
        copies_.close_group();
        ++fetched_;
        d_from_ += rows_.in_pitch;
    }

    /// Gives the next input row, which is in `slot`, to the body, and reuses the slot for a later
    /// row.
    __device__ __forceinline__ void step(int slot) {
        constexpr int halo = Body::kHalo;
        copies_.wait<kStages - 1>();
        unsigned char* s_row = s_ring_ + slot * kRowBytes;
        if constexpr (at_edge) side_.apply(rows_, s_row, min(used_++, fetch_end_ - 1));
        if constexpr (halo > 0 && !at_edge) __syncwarp();
        const unsigned char* s_mine = s_row + lane() * kLaneBytes;
        unsigned words[halo + kLaneWords + halo];
        if constexpr (halo > 0) {  // lanes 0 and 31 have one neighbour, and do not write
#pragma unroll
            for (int i = 0; i < halo; ++i) {
                words[i] = lane() == 0 ? 0 : word(s_mine - 4 * (halo - i));
                words[halo + kLaneWords + i] = lane() == 31 ? 0 : word(s_mine + kLaneBytes + 4 * i);
            }
        }
        const uint4 own = *reinterpret_cast<const uint4*>(s_mine);
        words[halo] = own.x;
        words[halo + 1] = own.y;
        words[halo + 2] = own.z;
        words[halo + 3] = own.w;
        if constexpr (halo > 0) __syncwarp();  // all lanes have read before one overwrites
        body_.feed(words);
        fetch(slot);
    }

    /// The next output row.
    __device__ __forceinline__ void write() {
        unsigned out[kLaneWords];
        body_.emit(out);
        const bool writes = writes_ && (!at_edge || y_ < y_end_);
        if constexpr (at_edge) {
            if (writes) store_16(d_to_, out, 0, rows_.out_bytes - t_);
        } else {
            if (writes)
                *reinterpret_cast<uint4*>(d_to_) = make_uint4(out[0], out[1], out[2], out[3]);
        }
        d_to_ += rows_.out_pitch;
        ++y_;
    }

  private:
    static constexpr int kStages = Body::kStages;
    static constexpr int kBefore = Body::kKsize - 1;

    static __device__ int lane() { return static_cast<int>(threadIdx.x); }

    __device__ __forceinline__ void fetch_by_border(unsigned char* s_to) {
        const bool on_image = t_ + kLaneBytes > rows_.first && t_ < rows_.last;
        if (0 <= fetched_ && fetched_ < rows_.job.height) {
            if (on_image) copies_.copy_16(s_to, d_from_);
            return;
        }
        const int row = rows_.row(fetched_);
        if (row < 0) {
            const unsigned four = static_cast<unsigned>(rows_.job.outside) * 0x01010101U;
            *reinterpret_cast<uint4*>(s_to) = make_uint4(four, four, four, four);
        } else if (on_image) {
            copies_.copy_16(s_to, rows_.in_row(row) + t_);
        }
    }

    static __device__ unsigned word(const unsigned char* s_at) {
        return *reinterpret_cast<const unsigned*>(s_at);
    }

    const ByteRows& rows_;
    Body body_;
    AsyncCopies copies_;
    unsigned char* s_ring_;
    const unsigned char* d_from_;
    unsigned char* d_to_;
    SidePatch<Body> side_;
    int t_;
    bool writes_;
    int y_, y_end_;
    int fetched_, used_, fetch_end_;  // input rows
};

}  // namespace convolab
