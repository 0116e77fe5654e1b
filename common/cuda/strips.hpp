// Copyright (c) 2026 The Convolab authors
// SPDX-License-Identifier: MIT
//
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
//   it is used. They store only the bytes that the output has. The other strips, nearly all, test
//   nothing, and their loop is unrolled.
// - If rows of the input or of the output do not begin at a multiple of 16 bytes, all strips are of
//   the first kind. A row is copied from the multiple of 16 before its bytes on, and a lane loads
//   its bytes from where they are then. Before a lane stores, it takes what its 16 bytes lack from
//   the lane before it, so lanes 2 to 30 write.
// - The costs are two lanes of 32, 6.7 %, and K - 1 more rows per warp: with 10 rows and K = 5,
//   40 % more. Most of them are found in the L2 cache, where another warp has just read them.
#pragma once

#include "common/cuda/async_copy.hpp"
#include "common/cuda/byte_rows.hpp"
#include "common/cuda/unaligned.hpp"

namespace convolab {

inline constexpr int kLaneBytes = 16;
inline constexpr int kLaneWords = 4;
inline constexpr int kRowBytes = 32 * kLaneBytes;             ///< of a warp
inline constexpr int kSlotBytes = kRowBytes + kLaneBytes;     ///< such a row, in shared memory
inline constexpr int kStripBytes = 30 * kLaneBytes;           ///< of the output
inline constexpr int kUnalignedStripBytes = 29 * kLaneBytes;  ///< the same of unaligned rows
inline constexpr int kStripsPerBlock = 4;

/// at_edge: the strip is at the border of the image, or has fewer rows than the others, or the rows
/// are not aligned.
template <class Body, bool at_edge>
class Strip {
  public:
    /// s_ring: kStages rows of kSlotBytes; base: t of lane 0; y: the first output row.
    __device__ __forceinline__ Strip(const ByteRows& rows, const typename Body::Taps& taps,
                                     unsigned char* s_ring, int base, int y)
        : rows_(rows), body_(taps), s_ring_(s_ring), base_(base), y_(y) {
        t_ = base + lane() * kLaneBytes;
        fetched_ = y + rows.job.origin;
        y_end_ = min(y + rows.rows_per_warp, rows.job.out_height);
        fetch_end_ = y_end_ + rows.job.origin + kBefore;
        d_from_ = rows.in_row(fetched_) + t_;
        d_to_ = rows.d_out + static_cast<std::int64_t>(y) * rows.out_pitch + t_;
        const int first = at_edge && rows.unaligned ? 2 : 1;
        writes_ = first <= lane() && lane() <= 30 && t_ < rows.out_bytes + kLaneBytes;
        if constexpr (at_edge) find_patch();
    }

    /// Whether output rows are left.
    __device__ bool has_rows() const { return y_ < y_end_; }

    /// Starts the copy of the next input row into a slot.
    __device__ __forceinline__ void fetch(int slot) {
        unsigned char* s_to = s_ring_ + slot * kSlotBytes + lane() * kLaneBytes;
        if (fetched_ < fetch_end_) {
            if constexpr (at_edge) fetch_by_border(s_to);
            if constexpr (!at_edge) copies_.copy_16(s_to, d_from_);
        }
        copies_.close_group();
        ++fetched_;
        d_from_ += rows_.in_pitch;
    }

    /// Gives the next input row, which is in `slot`, to the body, and reuses the slot for a later
    /// row.
    __device__ __forceinline__ void step(int slot) {
        copies_.wait<kStages - 1>();
        unsigned char* s_row = s_ring_ + slot * kSlotBytes;
        Words words;
        if constexpr (at_edge) load_by_border(words, s_row);
        if constexpr (!at_edge) load(words, s_row + lane() * kLaneBytes);
        constexpr bool kOverwrites = Body::kHalo > 0 || at_edge;
        if constexpr (kOverwrites) __syncwarp();  // all lanes have read before one overwrites
        body_.feed(words);
        fetch(slot);
    }

    /// The next output row.
    __device__ __forceinline__ void write() {
        unsigned out[kLaneWords];
        body_.emit(out);
        const int past = at_edge ? past_16(d_to_) : 0, t = t_ - past;
        if (past > 0) take_earlier(out, past);
        const int end = at_edge ? rows_.out_bytes - t : kLaneBytes;
        if (writes_ && end > 0) store_16(d_to_ - past, out, at_edge ? -t : 0, end);
        d_to_ += rows_.out_pitch;
        ++y_;
    }

  private:
    static constexpr int kStages = Body::kStages;
    static constexpr int kBefore = Body::kKsize - 1;
    using Words = unsigned[Body::kHalo + kLaneWords + Body::kHalo];

    static __device__ int lane() { return static_cast<int>(threadIdx.x); }

    __device__ __forceinline__ void fetch_by_border(unsigned char* s_to) {
        const int row = rows_.row(fetched_);
        if (row < 0) {
            const unsigned four = outside() * 0x01010101U;
            *reinterpret_cast<uint4*>(s_to) = make_uint4(four, four, four, four);
            return;
        }
        const unsigned char* d_from = rows_.in_row(row) + t_;
        const int past = past_16(d_from);
        fetch_on_image(s_to, d_from - past, t_ - past);
        if (past > 0 && lane() == 0)
            fetch_on_image(s_to + kRowBytes, d_from - past + kRowBytes, t_ - past + kRowBytes);
    }
    __device__ __forceinline__ void fetch_on_image(unsigned char* s_to, const unsigned char* d_from,
                                                   int t) {
        if (t + kLaneBytes > rows_.first && t < rows_.last) copies_.copy_16(s_to, d_from);
    }

    /// This lane's 16 bytes and the words beside them.
    __device__ __forceinline__ void load(Words& words, const unsigned char* s_mine) const {
        constexpr int halo = Body::kHalo;
        if constexpr (halo > 0) {  // lanes 0 and 31 have one neighbour, and do not write
            __syncwarp();
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
    }
    __device__ __forceinline__ void load_by_border(Words& words, unsigned char* s_row) const {
        const int row = rows_.row(fetched_ - kStages);  // the row in this slot
        if (row >= 0) s_row += past_16(rows_.in_row(row) + t_);
        patch(s_row, row);
        const int place = Body::kHalo > 0 ? max(1, min(lane(), 30)) : lane();
        load_words(words, s_row + place * kLaneBytes - 4 * Body::kHalo);
    }

    __device__ unsigned outside() const { return static_cast<unsigned>(rows_.job.outside); }

    /// Lanes 0 to 15 find the bytes left of the image, lanes 16 to 31 those right of it, one each.
    __device__ __forceinline__ void find_patch() {
        constexpr int halo = Body::kChannels * (Body::kKsize / 2);
        static_assert(halo <= kLaneBytes);
        patch_to_ = -1;
        patch_from_ = 0;
        const int i = lane() % 16;
        const int t = lane() < 16 ? rows_.first - halo + i : rows_.last + i;
        if (i >= halo || t < base_ || t >= base_ + kRowBytes) return;
        patch_to_ = t - base_;
        const int from = lane() < 16 ? rows_.left[halo - 1 - i] : rows_.right[i];
        patch_from_ = from == ByteRows::kNothing ? from : from - base_;
    }

    /// Puts the bytes outside the image into a slot. row: the input row that is in it, or -1.
    __device__ __forceinline__ void patch(unsigned char* s_row, int row) const {
        __syncwarp();
        if (patch_to_ >= 0) {
            unsigned value = outside();
            if (0 <= patch_from_ && patch_from_ < kRowBytes)
                value = s_row[patch_from_];
            else if (patch_from_ != ByteRows::kNothing && row >= 0)
                value = rows_.in_row(row)[patch_from_ + base_];
            s_row[patch_to_] = static_cast<unsigned char>(value);
        }
        __syncwarp();
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
    int base_, t_;
    bool writes_;
    int y_, y_end_;
    int fetched_, fetch_end_;    // input rows
    int patch_to_, patch_from_;  // bytes of a slot; the second may be outside the slot
};

}  // namespace convolab
