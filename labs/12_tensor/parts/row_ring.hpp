// Copyright (c) 2026 The Convolab authors
// SPDX-License-Identifier: MIT
//
// The input rows of a warp's strip, four at a time, in a ring of slots in shared memory: bulk copies
// fill the next slots while the warp uses one. A block is one warp, so all of its shared memory is
// the warp's, and there is no barrier but __syncwarp().
//
// Rows above and below the image are copied from where the border rule puts them. Bytes left and
// right of it are put into the slot when its copies have arrived; only a ring at_edge does this.
#pragma once

#include "common/cuda/bulk_copy.hpp"
#include "common/cuda/byte_rows.hpp"

namespace convolab::tensor_cores {

inline constexpr int kSlotRows = 4;
/// Of a slot's row: at least 312 bytes. Two rows begin 16 banks apart, so that 8 lanes load 16
/// bytes each from both without a conflict.
inline constexpr int kSlotPitch = 320;
inline constexpr int kSlotBytes = kSlotRows * kSlotPitch;

template <int slots, int row_bytes, bool at_edge>
class RowRing {
    static_assert(row_bytes <= kSlotPitch && row_bytes % 16 == 0);

  public:
    /// t: the first byte of a row, counted as in ByteRows; y, end: the first input row, and one past
    /// the last that is needed.
    __device__ __forceinline__ RowRing(const ByteRows& rows, unsigned char* s_slots,
                                       std::uint64_t* s_barriers, int t, int y, int end)
        : rows_(rows),
          s_slots_(s_slots),
          copies_(s_barriers),
          t_(t),
          used_(y),
          fetched_(y),
          end_(end) {
        bytes_ = at_edge ? min(row_bytes, (rows.last - t + 15) / 16 * 16) : row_bytes;
        copies_.init();
        for (int slot = 0; slot < slots; ++slot) fetch(slot);
    }

    __device__ bool has_rows() const { return used_ < end_; }

    /// The next four rows.
    __device__ __forceinline__ unsigned char* wait() {
        copies_.wait(slot_, parity_);
        unsigned char* s_rows = s_slots_ + slot_ * kSlotBytes;
        if constexpr (at_edge) {
            for (int k = 0; k < kSlotRows; ++k) patch(s_rows + k * kSlotPitch, used_ + k);
            __syncwarp();
        }
        return s_rows;
    }

    /// All lanes have read them: their slot gets later rows.
    __device__ __forceinline__ void release() {
        if constexpr (at_edge) copies_.before_copies();
        __syncwarp();
        fetch(slot_);
        used_ += kSlotRows;
        if (++slot_ == slots) {
            slot_ = 0;
            parity_ ^= 1;
        }
    }

  private:
    static __device__ int lane() { return static_cast<int>(threadIdx.x); }

    /// The row of the image at y, or -1.
    __device__ __forceinline__ int row(int y) const {
        if constexpr (!at_edge) return y;
        return rows_.row(min(y, end_ - 1));
    }

    __device__ __forceinline__ void fetch(int slot) {
        if (lane() == 0 && fetched_ < end_) {
            int found = 0;
            for (int k = 0; k < kSlotRows; ++k) found += row(fetched_ + k) >= 0;
            copies_.expect(slot, found * bytes_);
#pragma unroll
            for (int k = 0; k < kSlotRows; ++k)
                if (const int from = row(fetched_ + k); from >= 0)
                    copies_.copy(slot, s_slots_ + slot * kSlotBytes + k * kSlotPitch,
                                 rows_.in_row(from) + t_, bytes_);
        }
        fetched_ += kSlotRows;
    }

    /// Lanes 0 to 15 put the bytes left of the image, lanes 16 to 31 those right of it, one each.
    __device__ void patch(unsigned char* s_row, int y) const {
        const auto outside = static_cast<unsigned char>(rows_.job.outside);
        const int found = row(y);
        if (found < 0) {
            for (int i = lane(); i < row_bytes; i += 32) s_row[i] = outside;
            return;
        }
        const int k = lane() % ByteRows::kMaxBytes;
        const bool is_left = lane() < ByteRows::kMaxBytes;
        const int to = is_left ? rows_.first - 1 - k : rows_.last + k;
        if (to < t_ || to >= t_ + row_bytes) return;
        const int from = is_left ? rows_.left[k] : rows_.right[k];
        s_row[to - t_] = from == ByteRows::kNothing ? outside
                         : t_ <= from && from < min(rows_.last, t_ + row_bytes)
                             ? s_row[from - t_]
                             : rows_.in_row(found)[from];
    }

    const ByteRows& rows_;
    unsigned char* s_slots_;
    BulkCopies<slots> copies_;
    int t_, used_, fetched_, end_, bytes_;
    int slot_ = 0, parity_ = 0;
};

}  // namespace convolab::tensor_cores
