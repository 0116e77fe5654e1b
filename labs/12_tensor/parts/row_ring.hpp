// SPDX-License-Identifier: MIT
// The input rows of a block, four at a time, in a ring of slots in shared memory: bulk copies fill
// the next slots while the warps use one. A lane that has read a slot arrives at the slot's `empty`
// and goes on. A step later, when usually all lanes have arrived, one lane waits for the rest and
// starts the next copies into the slot. The warps take turns with this.
//
// The border rule decides from which row of the image a row above or below it is copied. Bytes left
// and right of the image are written into the slot after its copies have arrived (slot_sides.hpp).
#pragma once

#include "labs/12_tensor/parts/slot_sides.hpp"

namespace convolab::tensor_cores {

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
        if constexpr (at_edge) sides_.begin(rows, t);
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
            sides_.write(s_rows, [&](int k) { return row(y_ + kSlotRows * step_ + k); });
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

    const ByteRows& rows_;
    const unsigned char* d_outside_;
    RingMemory<slots, skew>& s_;
    int t_, y_, end_, steps_;
    int skip_, bytes_;  // bytes of a row outside the image, and those that are copied
    int step_ = 0, slot_ = 0, parity_ = 0, turn_ = 0;
    SlotSides<row_bytes> sides_;  // only if at_edge
};

}  // namespace convolab::tensor_cores
