// Copyright (c) 2026 The Convolab authors
// SPDX-License-Identifier: MIT
//
// The input rows of a block, four at a time, in a ring of slots in shared memory: bulk copies fill
// the next slots while the warps use one. A lane that has read a slot arrives at the slot's `empty`
// and goes on. A step later, when usually all lanes have arrived, one lane waits for the rest and
// starts the next copies into the slot. The warps take turns with this.
//
// The border rule decides from which row of the image a row above or below it is copied. Bytes left
// and right of the image are written into the slot after its copies have arrived. Only the blocks
// at these sides do that, in the warp that reads the bytes. If two warps read the same ones, all
// warps wait.
#pragma once

#include "common/cuda/byte_rows.hpp"
#include "labs/12_tensor/parts/bulk_copy.hpp"
#include "labs/12_tensor/parts/output_tile.hpp"

namespace convolab::tensor_cores {

inline constexpr int kWarps = 3;  ///< warps of a block
inline constexpr int kSlotRows = 4;
/// Bytes from one row of a slot to the next. Two rows begin 16 banks apart, so that 8 lanes load 16
/// bytes each from both without a conflict.
inline constexpr int kSlotPitch = 832;
inline constexpr int kSlotBytes = kSlotRows * kSlotPitch;

/// skew: bytes before the first row. A copy is fastest if both addresses are the same number of
/// bytes after a multiple of 128.
template <int slots, int skew = 0>
struct alignas(128) RingMemory {
    unsigned char rows[skew + slots * kSlotBytes];
    Mbarrier full[slots], empty[slots];
};

/// at_edge: the block is at an edge of the image; otherwise all its bytes are inside.
template <int slots, int row_bytes, bool at_edge, int skew = 0>
class RowRing {
    static_assert(row_bytes <= kSlotPitch && row_bytes % 16 == 0);

  public:
    /// t: the first byte of a row, counted as in ByteRows; y, end: the first input row, and one
    /// past the last that is needed. d_outside: what is copied if the border rule has no row.
    __device__ __forceinline__ RowRing(const ByteRows& rows, const unsigned char* d_outside,
                                       RingMemory<slots, skew>& s, int t, int y, int end)
        : rows_(rows), d_outside_(d_outside), s_(s), t_(t), y_(y), end_(end) {
        skip_ = at_edge ? max(rows.first - t, 0) / 16 * 16 : 0;
        bytes_ = (at_edge ? min(row_bytes, (rows.last - t + 15) / 16 * 16) : row_bytes) - skip_;
        steps_ = (end - y + kSlotRows - 1) / kSlotRows;
        if constexpr (at_edge) prepare_patch();
        const bool is_first = threadIdx.x == 0 && threadIdx.y == 0;
        for (int slot = 0; is_first && slot < slots; ++slot) {
            s.full[slot].init(1);
            s.empty[slot].init(32 * kWarps);
        }
        __syncthreads();
        for (int slot = 0; is_first && slot < min(slots, steps_); ++slot) fetch(slot, slot);
    }

    __device__ bool has_rows() const { return step_ < steps_; }

    /// Waits for the next four rows and returns them.
    __device__ __forceinline__ unsigned char* wait() {
        s_.full[slot_].wait(parity_);
        unsigned char* s_rows = s_.rows + skew + slot_ * kSlotBytes;
        if constexpr (at_edge)
            if (has_sides_) patch(s_rows);
        return s_rows;
    }

    /// The warp calls this when it has read them.
    __device__ __forceinline__ void release() {
        s_.empty[slot_].arrive();
        const int next = step_ - 1 + slots;
        const bool is_its_turn = threadIdx.x == 0 && static_cast<int>(threadIdx.y) == turn_;
        if (is_its_turn && step_ > 0 && next < steps_) {
            const int before = slot_ == 0 ? slots - 1 : slot_ - 1;
            s_.empty[before].wait(slot_ == 0 ? parity_ ^ 1 : parity_);
            fetch(next, before);
        }
        __syncwarp();
        ++step_;
        if (++turn_ == kWarps) turn_ = 0;
        if (++slot_ == slots) {
            slot_ = 0;
            parity_ ^= 1;
        }
    }

  private:
    /// One lane starts the copies of a step's rows.
    __device__ __forceinline__ void fetch(int step, int slot) {
        Mbarrier& full = s_.full[slot];
        unsigned char* s_rows = s_.rows + skew + slot * kSlotBytes + skip_;
        const int y = y_ + kSlotRows * step;
        full.arrive_expecting(kSlotRows * bytes_);
        if (!at_edge || (0 <= y && y + kSlotRows <= rows_.job.height)) {
            const unsigned char* d_first = rows_.in_row(y) + t_ + skip_;
#pragma unroll
            for (int k = 0; k < kSlotRows; ++k)
                full.copy(s_rows + k * kSlotPitch, d_first + k * std::int64_t{rows_.in_pitch},
                          bytes_);
        } else {
#pragma unroll 1
            for (int k = 0; k < kSlotRows; ++k)
                full.copy(s_rows + k * kSlotPitch, row(y + k) + skip_, bytes_);
        }
    }

    /// Returns the row that the border rule puts at y.
    __device__ __forceinline__ const unsigned char* row(int y) const {
        const int found = rows_.row(min(y, end_ - 1));
        return found < 0 ? d_outside_ : rows_.in_row(found) + t_;
    }

    /// Lanes 0 to 15 write the bytes left of the image, lanes 16 to 31 the bytes right of it, one
    /// each. A byte is written by the warp whose strip contains it, or by the last warp.
    __device__ __forceinline__ void prepare_patch() {
        has_sides_ = t_ < rows_.first || rows_.last < t_ + row_bytes;
        const int k = threadIdx.x % 16;
        const bool is_left = threadIdx.x < 16;
        to_ = (is_left ? rows_.first - 1 - k : rows_.last + k) - t_;
        const bool is_mine =
            min(to_ / kStripBytes, kWarps - 1) == static_cast<int>(threadIdx.y) && to_ < row_bytes;
        if (!is_mine) to_ = -1;
        from_ = is_left ? rows_.left[k] : rows_.right[k];
        is_copied_ = t_ <= from_ && from_ < min(rows_.last, t_ + row_bytes);
        outside_ = static_cast<unsigned char>(rows_.job.outside);
        // True if two warps may read the same byte right of the image: a warp reads its strip and
        // less than kMore bytes after it.
        constexpr int kMore = row_bytes - kWarps * kStripBytes;
        const int right = rows_.last - t_, in_strip = right % kStripBytes;
        are_shared_ = right < (kWarps - 1) * kStripBytes + kMore &&
                      (in_strip < kMore || kStripBytes - 16 < in_strip);
    }
    __device__ __forceinline__ void patch(unsigned char* s_rows) const {
        if (to_ >= 0) {
            unsigned char bytes[kSlotRows];
#pragma unroll
            for (int k = 0; k < kSlotRows; ++k)
                bytes[k] = is_copied_ ? s_rows[k * kSlotPitch + from_ - t_] : byte_outside(k);
#pragma unroll
            for (int k = 0; k < kSlotRows; ++k) s_rows[k * kSlotPitch + to_] = bytes[k];
            Mbarrier::proxy_fence();
        }
        if (are_shared_)
            __syncthreads();
        else
            __syncwarp();
    }
    /// Returns a byte of row k of this step that the block has not copied.
    __device__ __forceinline__ unsigned char byte_outside(int k) const {
        if (from_ == ByteRows::kNothing) return outside_;
        return row(y_ + kSlotRows * step_ + k)[from_ - t_];
    }

    const ByteRows& rows_;
    const unsigned char* d_outside_;
    RingMemory<slots, skew>& s_;
    int t_, y_, end_, steps_;
    int skip_, bytes_;  // bytes of a row outside the image, and those that are copied
    int step_ = 0, slot_ = 0, parity_ = 0, turn_ = 0;
    bool has_sides_;  // this and the members below: only if at_edge
    bool is_copied_, are_shared_;
    int to_, from_;
    unsigned char outside_;
};

}  // namespace convolab::tensor_cores
